/**
 * Settings of a workspace that guard its people and its content beyond what the documents ask for. Each changes a documented
 * answer, so each is off until an admin turns it on; the dashboard proposes all of them for a new workspace.
 */
export const PROTECTIONS = [
  /** An erasure asked for by a device that has been that user's for less than a day waits for the person or an admin. */
  'confirmErasures',
  /** Mail goes to an address that only an app named once the person confirmed it from there (double opt-in). */
  'confirmEmails',
  /** Messages to segments and the activation of journeys take a second person, as the approval of campaigns does. */
  'approveMessages',
  /** Who submits and who approves are two proven people: see docs/decisions/0035-a-second-person.md. */
  'strictApprovals',
  /** A user id such as `undefined`, which an app with a fault sends for everybody, is refused. */
  'refusePlaceholderIds',
] as const
export type ProtectionName = (typeof PROTECTIONS)[number]
export type Protections = Record<ProtectionName, boolean>

/** All of them, from the stored ones that differ from the default. */
export function allProtections(stored: Partial<Protections>): Protections {
  return Object.fromEntries(PROTECTIONS.map((name) => [name, stored[name] ?? false])) as Protections
}
