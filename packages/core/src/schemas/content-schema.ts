/** What one block is filled with. */
import { LIMITS } from '../limits.ts'
import type { InstanceContent } from '../blocks/instance.ts'
import { list, object, oneOf, orNull, record, text, whole, type JsonSchema } from './json-schema.ts'

const values = object('Values by the tags of fields', {})
const translations = orNull(record('Values by language', { type: ['object', 'null'] }))
const time = (what: string) => ({ type: ['string', 'null'], description: `${what}, as 2026-03-01T09:00:00Z` })

/** Which values fit is known from the fields of the block type, so it is not said here. */
export const contentMembers = {
  title: orNull(text('What the dashboard calls it', { most: LIMITS.instanceTitleLength })),
  seg: orNull(text('The name of the segment that it is for; without one, everybody')),
  priority: orNull(whole('The higher, the further up', -1_000_000, 1_000_000)),
  schedule: orNull(object('When it is shown', { startTime: time('From'), endTime: time('Until') })),
  frequency: orNull(
    object(
      'How often one device gets it',
      { per: oneOf('In which time', ['session', 'day', 'week', 'ever']), max: whole('How often', 1, 1000) },
      { required: ['per', 'max'] },
    ),
  ),
  values,
  translations,
  variants: {
    ...list(
      'Other values for fixed shares of devices',
      object(
        'One of them',
        {
          id: text('Its name', { least: 1, most: LIMITS.fieldTextLength }),
          weight: whole('Its share', 0, 1_000_000),
          values: orNull(values),
          translations,
        },
        { required: ['id', 'weight'] },
      ),
      { most: LIMITS.variantsPerInstance },
    ),
    type: ['array', 'null'],
  },
} satisfies Record<keyof InstanceContent, JsonSchema>
