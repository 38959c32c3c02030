import type { Db } from '../../db/open.ts'
import type { Environment } from '../../infra/signals/signals.ts'
import { findPerson, findSubjectSalt, hashSubject, subjectOfPerson } from '../people/index.ts'

/** The keyed hash that stands for whoever has this id: a user, also one who is not known or not known any more, or an anonymous device. */
export async function subjectNamed(
  db: Db,
  { workspaceId, environment }: { workspaceId: string; environment: Environment },
  id: string,
): Promise<string> {
  const [salt, person] = await Promise.all([findSubjectSalt(db, workspaceId), findPerson(db, workspaceId, environment, id)])
  return person ? subjectOfPerson(salt, person) : hashSubject(salt, 'user', id)
}
