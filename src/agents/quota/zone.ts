/** A time zone: the minutes that it is ahead of UTC at a moment. */
export type Zone = (at: number) => number;

/** Abbreviations that agents print. One that means several zones is left out: a wrong hour is worse than none. */
const abbreviations: Readonly<Record<string, number>> = {
  ...{
    utc: 0,
    gmt: 0,
    z: 0,
    pst: -480,
    pdt: -420,
    mst: -420,
    mdt: -360,
    cst: -360,
    cdt: -300,
    est: -300,
    edt: -240,
  },
  ...{ wet: 0, west: 60, cet: 60, cest: 120, eet: 120, eest: 180, msk: 180, jst: 540, aest: 600, aedt: 660 },
};

/** The zone that is named `Europe/Paris`, `UTC+2`, `+02:00`, `PST`; `null` for any other words. */
export const zoneNamed = (name: string): Zone | null => {
  const words = name.trim();
  const known = abbreviations[words.toLowerCase()];
  if (known !== undefined) return () => known;
  const [, sign, hours, minutes] = /^(?:UTC|GMT)?\s*([+-])(\d{1,2}):?(\d{2})?$/i.exec(words) ?? [];
  if (hours !== undefined) {
    const ahead = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes ?? 0));
    return () => ahead;
  }
  return /^[A-Za-z]+(?:\/[A-Za-z_+-]+){1,2}$/.test(words) ? placed(words) : null;
};

const placed = (timeZone: string): Zone | null => {
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
    return (at) => {
      const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
      return name === 'GMT' ? 0 : (zoneNamed(name)?.(at) ?? 0);
    };
  } catch (error) {
    // No such place.
    if (error instanceof RangeError) return null;
    throw error;
  }
};

/** The moment at which a clock of the zone shows `wall`, the time on it written as if it were UTC. */
export const momentOf = (wall: number, zone: Zone): number => {
  const guess = wall - zone(wall) * 60_000;
  return wall - zone(guess) * 60_000;
};
