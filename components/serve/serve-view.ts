/** A browser that is paired with the running `serve`. */
export interface ServedDevice {
  readonly id: string;
  readonly name: string;
  readonly scope: string;
  /** It views a page now. */
  readonly isConnected: boolean;
}

/** The running `serve` of this workspace, as it was when it was asked. */
export interface ServeOverlay {
  readonly kind: 'serve';
  readonly addresses: readonly string[];
  /** The code that pairs a device; `null`: none counts now. */
  readonly code: string | null;
  readonly devices: readonly ServedDevice[];
  readonly cursor: number;
}
