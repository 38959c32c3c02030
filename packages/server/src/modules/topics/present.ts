import { CHANNEL_TYPES } from '@contentflow/core/channels/channel.ts'
import { PAGE_LINKS } from '@contentflow/core/identity/consent/preference-page.ts'
import { TOPIC_MODES } from '@contentflow/core/identity/consent/topics.ts'
import { REQUEST_LAWS } from '@contentflow/core/identity/deadlines.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { Nullable, Time, Type } from '../../http/schema.ts'
import type { StoredTopic } from './queries-topics.ts'

const { min, max } = LIMITS.topicPosition
const members = {
  names: Type.Record(Type.String(), Type.String(), { description: 'By language' }),
  descriptions: Type.Record(Type.String(), Type.String(), { description: 'By language; people see them under the name' }),
  channels: Type.Array(Type.Enum([...CHANNEL_TYPES]), { description: 'Over which messages about it may be sent, and people choose' }),
  mode: Type.Enum([...TOPIC_MODES], { description: 'opt_out: who never answered gets it. opt_in: they do not' }),
  position: Type.Integer({ minimum: min, maximum: max, description: 'Its place among the others' }),
}
const { descriptions, mode, position } = Type.Partial(Type.Object(members)).properties
const Written = { names: members.names, descriptions, channels: members.channels, mode, position }
const example = { names: { en: 'News', ar: 'الأخبار' }, channels: ['email', 'push'] }
const id = Type.String({ description: 'A letter with up to 39 letters, digits, _ and - behind it; it stays' })
export const TopicBody = Type.Object({ id, ...Written }, { examples: [{ id: 'news', ...example }] })
export const ChangeBody = Type.Object({ id: Type.Optional(id), ...Written }, { examples: [example] })
export const TopicSchema = Type.Object({ id: Type.String(), ...members, createdAt: Time, updatedAt: Time, archivedAt: Nullable(Time) })

export function presentTopic({ id: topic, names, descriptions: said, channels, mode: presumed, position: place, ...times }: StoredTopic) {
  return { id: topic, names, descriptions: said, channels, mode: presumed, position: place, ...times }
}

export const PageSchema = Type.Object(
  {
    inMails: Type.Enum([...PAGE_LINKS], { description: 'with_topics: mails link the page where the workspace has topics' }),
    law: Type.Enum([...REQUEST_LAWS], { description: 'Whose days count for what people ask there about their data' }),
    publishedDays: Type.Optional(
      Nullable(Type.Integer({ minimum: 1, maximum: 365, description: 'Of dpdp: the period that your organisation publishes' })),
    ),
  },
  { examples: [{ inMails: 'always', law: 'gdpr', publishedDays: null }] },
)
