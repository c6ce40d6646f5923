export type Rgb = readonly [number, number, number];

/** The colour an SGR code stands for; `null` for the sixteen that every terminal has its own way with. */
export const rgbOf = (code: string): Rgb | null => {
  const [, mode, ...parts] = code.split(';').map(Number);
  if (mode === 2) return [parts[0] ?? 0, parts[1] ?? 0, parts[2] ?? 0];
  const number = parts[0] ?? 0;
  if (mode !== 5 || number < 16) return null;
  if (number >= 232) return [8 + (number - 232) * 10, 8 + (number - 232) * 10, 8 + (number - 232) * 10];
  const level = (part: number): number => (part === 0 ? 0 : 55 + part * 40);
  const cube = number - 16;
  return [level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)];
};

/** The colour of `#rrggbb`. */
export const rgbOfHex = (hex: string): Rgb => {
  const part = (at: number): number => Number.parseInt(hex.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
};

/** WCAG 2: relative luminance. */
const luminance = (rgb: Rgb): number => {
  const [red = 0, green = 0, blue = 0] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** WCAG 2: contrast ratio. */
export const contrast = (one: Rgb, other: Rgb): number => {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};
