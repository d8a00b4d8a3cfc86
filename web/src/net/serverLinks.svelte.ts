// The server's links for other devices: invitations by table code, and its origin, as 127.0.0.1 is none for them.

let invitations = $state.raw<Record<string, string>>({});
let origin = $state.raw<string>();

export const invitationOf = (code: string): string | undefined => invitations[code];
export const serverOrigin = (): string | undefined => origin;

export function keepLinks(code: string, invitation: string, home: string): void {
  invitations = { ...invitations, [code]: invitation };
  origin = home || origin;
}
