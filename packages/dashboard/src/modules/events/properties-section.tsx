import { Anchor, Button, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import type { Environment } from '../../ui/environment.tsx'
import { Section } from '../../ui/section.tsx'
import { Wide } from '../../ui/wide.tsx'
import { useValues, type EventProperty, type EventType } from './api.ts'
import { PropertyDialog } from './property-dialog.tsx'
import { useTexts } from './texts.ts'

/** What comes with a type of event: as it was seen, as it was declared, and where the two differ. */
export function PropertiesSection({ type, environment }: { type: EventType; environment: Environment }) {
  const t = useTexts()
  const format = useFormat()
  const { mayEdit } = useSession()
  const [open, setOpen] = useState<{ property?: EventProperty }>()
  const values = useValues(type.name, environment).data?.properties ?? []
  const frequent = new Map(values.map(({ name, values: found }) => [name, found.map(({ value }) => String(value))]))
  const add = mayEdit && (
    <Button variant="default" onClick={() => setOpen({})}>
      {t('addProperty')}
    </Button>
  )
  return (
    <Section title={t('properties')} text={t('propertiesText')} aside={add}>
      {type.properties.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('noProperties')}
        </Text>
      ) : (
        <Wide label={t('properties')}>
          <Table aria-label={t('properties')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('property')}</Table.Th>
                <Table.Th visibleFrom="sm">{t('seenAs')}</Table.Th>
                <Table.Th>{t('declaredAs')}</Table.Th>
                <Table.Th visibleFrom="sm">{t('use')}</Table.Th>
                <Table.Th>{t('violations')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {type.properties.map((property) => (
                <PropertyRow
                  key={property.name}
                  property={property}
                  frequent={frequent.get(property.name) ?? []}
                  onOpen={mayEdit ? () => setOpen({ property }) : undefined}
                />
              ))}
            </Table.Tbody>
          </Table>
        </Wide>
      )}
      {type.otherProperties > 0 && (
        <Text size="sm" c="dimmed">
          {t('otherProperties', { number: format.number(type.otherProperties) })}
        </Text>
      )}
      {open && <PropertyDialog type={type} property={open.property} onClose={() => setOpen(undefined)} />}
    </Section>
  )
}

type PropertyRowProps = { property: EventProperty; frequent: string[]; onOpen: (() => void) | undefined }

function PropertyRow({ property, frequent, onOpen }: PropertyRowProps) {
  const t = useTexts()
  const format = useFormat()
  const { name, kinds, declared, use, filledFrom, violations } = property
  const label = <bdi className="cf-code">{name}</bdi>
  const known = declared?.enum?.map(String) ?? frequent
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Stack gap={2} align="flex-start">
          {onOpen ? (
            <Anchor component="button" type="button" onClick={onOpen} fw={600} ta="start">
              {label}
            </Anchor>
          ) : (
            label
          )}
          {declared?.description !== undefined && (
            <Text size="xs" c="dimmed">
              <bdi>{declared.description}</bdi>
            </Text>
          )}
          {known.length > 0 && (
            <Text size="xs" c="dimmed" lineClamp={2}>
              {t(declared?.enum ? 'values' : 'frequent')}: <bdi>{known.join(' · ')}</bdi>
            </Text>
          )}
        </Stack>
      </Table.Td>
      <Table.Td visibleFrom="sm">{kinds.map((kind) => t(kindText(kind))).join(' · ') || t('neverSeen')}</Table.Td>
      <Table.Td>
        {declared ? (
          <Stack gap={2}>
            <span>{t(`kind_${declared.kind}`)}</span>
            {declared.required && (
              <Text size="xs" c="dimmed">
                {t('required')}
              </Text>
            )}
          </Stack>
        ) : (
          <Text size="sm" c="dimmed" component="span">
            {t('notDeclared')}
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Stack gap={2}>
          <span>{t(`use_${use}`)}</span>
          {use !== 'none' && (
            <Text size="xs" c="dimmed">
              {filledFrom === null ? t('filling') : t('filledFrom', { day: format.calendarDate(filledFrom) })}
            </Text>
          )}
        </Stack>
      </Table.Td>
      <Table.Td>
        {violations > 0 ? (
          <Stack gap={2}>
            <Text size="sm" c="red" component="span">
              {t('violationCount', { number: format.number(violations) })}
            </Text>
            <Example property={property} />
          </Stack>
        ) : (
          <Text size="sm" c="dimmed" component="span">
            {t('none')}
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  )
}

/** What the last event had in place of what was declared. Its value is kept nowhere. */
function Example({ property: { example } }: { property: EventProperty }) {
  const t = useTexts()
  const format = useFormat()
  if (!example) return null
  const said =
    example.rule === 'required'
      ? t('example_required')
      : example.rule === 'enum'
        ? t('example_enum')
        : example.length === undefined || example.found === 'array'
          ? t('example_kind', { found: t(kindText(example.found)) })
          : t('example_kind_length', { found: t(kindText(example.found)), length: format.number(example.length) })
  return (
    <Text size="xs" c="dimmed">
      {said}
    </Text>
  )
}

const KIND_TEXTS = {
  string: 'kind_string',
  integer: 'kind_integer',
  number: 'kind_number',
  boolean: 'kind_boolean',
  date: 'kind_date',
  object: 'kind_object',
  array: 'kind_array',
  null: 'kind_null',
} as const

/** Of a kind that this page does not know yet, the one that takes any. */
function kindText(kind: string): (typeof KIND_TEXTS)[keyof typeof KIND_TEXTS] {
  return Object.hasOwn(KIND_TEXTS, kind) ? KIND_TEXTS[kind as keyof typeof KIND_TEXTS] : 'kind_string'
}
