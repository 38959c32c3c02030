import type { Context } from '../../../context.ts'
import {
  appendLedger,
  confirmAddress,
  findConfirmation,
  findSubjectSalt,
  listPeopleAt,
  lockProfiles,
  subjectOfPerson,
  writePeople,
  noteReached,
} from '../../people/index.ts'

const ACTOR = 'person'

/** Whoever reads mail at this address wants that of the workspace; again and again it stays so. False: nobody has it any more. */
export async function confirmEmail(ctx: Context, workspaceId: string, id: string): Promise<boolean> {
  return writePeople(ctx, { workspaceId, actor: ACTOR, isBrief: true }, async ({ tx, now }) => {
    const row = await findConfirmation(tx, workspaceId, id)
    if (!row) return false
    const people = await lockProfiles(tx, workspaceId, await listPeopleAt(tx, workspaceId, row.email_hash))
    if (!(await confirmAddress(tx, workspaceId, id, now))) return true
    // The mail that asked was the first.
    await noteReached(
      tx,
      workspaceId,
      people.map((person) => person.id),
    )
    const salt = await findSubjectSalt(tx, workspaceId)
    const changes = [{ channel: 'emailConfirmed', oldValue: null, newValue: true }]
    const decided = people.map((person) => ({ subject: subjectOfPerson(salt, person), changes }))
    await appendLedger(tx, { workspaceId, environment: 'live' }, decided, { source: 'confirm_email', keyId: ACTOR })
    return true
  })
}
