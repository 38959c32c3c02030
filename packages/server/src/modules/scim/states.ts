/** What a user of the directory is here. */
export const STATES = ['waiting', 'member', 'noRole', 'inactive', 'stays'] as const
export type UserState = (typeof STATES)[number]

/** `isLinked`: somebody signed in who is meant. `stays`: a member though inactive, as the last admin or by hand. */
export function stateOf({ active, isLinked, isMember }: { active: boolean; isLinked: boolean; isMember: boolean }): UserState {
  if (!active) return isMember ? 'stays' : 'inactive'
  if (isMember) return 'member'
  return isLinked ? 'noRole' : 'waiting'
}

/** How many there are of each. */
export function countStates(users: readonly { state: UserState }[]): Record<UserState, number> {
  const counts = { waiting: 0, member: 0, noRole: 0, inactive: 0, stays: 0 }
  for (const { state } of users) counts[state]++
  return counts
}
