import type { OverlayProps } from '../draw/overlay-props.ts';
import { TextWindow } from '../draw/TextWindow.tsx';

/** What all sessions of the workspace say together, each rate with what it is a part of. */
export const Statistics = (props: OverlayProps<'statistics'>) => (
  <TextWindow {...props} title="Statistics for the sessions in this workspace" lines={props.overlay.lines} />
);
