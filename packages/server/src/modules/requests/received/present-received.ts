import { daysLeft, deadlineOf, REQUEST_KINDS, REQUEST_LAWS } from '@contentflow/core/identity/deadlines.ts'
import { isWaiting, REQUEST_STATES } from '@contentflow/core/identity/subject-requests.ts'
import { EnvironmentName, Nullable, Time, Type } from '../../../http/schema.ts'
import type { SubjectRequestRow } from './queries-received.ts'

const Day = (description: string) => Type.String({ format: 'date', description })

export const SubjectRequestSchema = Type.Object({
  id: Type.String(),
  environment: EnvironmentName,
  kind: Type.Enum([...REQUEST_KINDS]),
  law: Type.Enum([...REQUEST_LAWS]),
  article: Type.String({ description: 'Where the law says until when it has to be answered' }),
  userId: Nullable(Type.String({ description: 'Whom it is about; null when they are not known here, or erased' })),
  source: Type.Enum(['page', 'member'], { description: 'Whether the person asked on a page, or a member recorded it' }),
  receivedOn: Day('The day on which it came'),
  dueOn: Day('The last day for the answer'),
  extendedTo: Nullable(Day('The last day, where the time was extended')),
  mayExtend: Type.Boolean({ description: 'Whether its law lets the time be extended, and it was not' }),
  daysLeft: Nullable(
    Type.Integer({
      description: 'Until its last day, by the calendar of the workspace; below 0 when that is over; null when it is done or refused',
    }),
  ),
  reason: Nullable(Type.String({ description: 'Why it was refused or takes longer' })),
  state: Type.Enum([...REQUEST_STATES]),
  handledBy: Type.String({ description: 'The account that changed it last' }),
  exportId: Nullable(Type.String({ description: 'The receipt of the file: GET /person-exports/{id}' })),
  erasureId: Nullable(Type.String({ description: 'The receipt of the erasure: GET /erasures/{id}' })),
  note: Nullable(Type.String()),
  createdAt: Time,
  updatedAt: Time,
  closedAt: Nullable(Time),
})

export function presentRequest({ row, userId, today }: { row: SubjectRequestRow; userId: string | null; today: string }) {
  const { article, extended } = deadlineOf(row.law, row.kind)
  const waits = isWaiting(row.state)
  return {
    id: row.id,
    environment: row.environment,
    kind: row.kind,
    law: row.law,
    article,
    userId,
    source: row.source,
    receivedOn: row.received_on,
    dueOn: row.due_on,
    extendedTo: row.extended_to,
    mayExtend: waits && extended !== null && row.extended_to === null && today <= row.due_on,
    daysLeft: waits ? daysLeft(row.extended_to ?? row.due_on, today) : null,
    reason: row.reason,
    state: row.state,
    handledBy: row.handled_by,
    exportId: row.export_id,
    erasureId: row.erasure_id,
    note: row.note,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    closedAt: row.closed_at,
  }
}
