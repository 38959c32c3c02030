import { Anchor, Badge, Skeleton, Stack, Table, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { PersonValue } from '@contentflow/server/wire.ts'
import { useRead } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { Failure } from '../../ui/failure.tsx'
import { useFirstRows } from '../../ui/first-rows.tsx'
import { Moment } from '../../ui/moments/moment.tsx'
import { Section } from '../../ui/section.tsx'
import { Wide } from '../../ui/wide.tsx'
import { useTexts as useDataTexts } from '../data/texts.ts'
import { wordsOfValue } from '../data/value-words.ts'
import { pathOf, type Subject } from './api.ts'
import { useImportedTexts } from './texts-imported.ts'

/** Values from other systems: the source of each, and which one is effective. For editors and admins. */
export function ImportedSection({ subject }: { subject: Subject }) {
  const t = useImportedTexts()
  const { mayEdit } = useSession()
  const { data, error, refetch } = useRead<{ values: PersonValue[] }>(
    `${pathOf(subject)}/enrichment`,
    { environment: subject.environment },
    { when: mayEdit },
  )
  if (!mayEdit) return null
  return (
    <Section title={t('title')} text={t('text')}>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton h={60} />}
      {data?.values.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('none')}
        </Text>
      )}
      {data !== undefined && data.values.length > 0 && <ValueTable values={data.values} />}
    </Section>
  )
}

const FIRST_VALUES = 10

function ValueTable({ values }: { values: PersonValue[] }) {
  const t = useImportedTexts()
  const data = useDataTexts()
  const format = useFormat()
  const { shown, more } = useFirstRows(values, t('title'), FIRST_VALUES)
  return (
    <Stack gap="sm">
      <Wide label={t('title')}>
        <Table aria-label={t('title')} miw={520} fz="sm" verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{data('attribute')}</Table.Th>
              <Table.Th>{t('value')}</Table.Th>
              <Table.Th>{t('from')}</Table.Th>
              <Table.Th>{data('state')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((value) => (
              <Table.Tr key={`${value.name} ${value.source} ${value.jobRef ?? ''} ${value.loadedAt}`}>
                <Table.Td dir="auto" className="cf-foreign">
                  {value.name}
                </Table.Td>
                <Table.Td dir="auto" className="cf-foreign" fw={value.standing === 'holds' ? 600 : undefined}>
                  {wordsOfValue(value.value, data, format)}
                </Table.Td>
                <Table.Td>
                  <Origin value={value} />
                </Table.Td>
                <Table.Td>
                  <Standing value={value} all={values} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Wide>
      {more}
    </Stack>
  )
}

function Origin({ value: { source, jobRef, label, loadedAt } }: { value: PersonValue }) {
  const data = useDataTexts()
  const { workspace } = useSession()
  return (
    <Stack gap={2} align="start">
      <span>{data(`source_${source}`)}</span>
      <Text size="xs" c="dimmed" component="span">
        {jobRef !== null && (
          <>
            <Anchor
              component={Link}
              inherit
              underline="always"
              to={`/w/${workspace.id}/data?upload=${encodeURIComponent(jobRef)}`}
              style={{ overflowWrap: 'anywhere' }}
            >
              {label || data('noName')}
            </Anchor>
            {' · '}
          </>
        )}
        <Moment at={loadedAt} />
      </Text>
    </Stack>
  )
}

const COLOURS = { holds: 'green', outranked: 'gray', older: 'gray', ended: 'gray' } as const

/** Whether a value holds, and if not, which one does in its place. */
function Standing({ value: { name, standing, expiresAt }, all }: { value: PersonValue; all: PersonValue[] }) {
  const t = useImportedTexts()
  const data = useDataTexts()
  const winner = all.find((other) => other.name === name && other.standing === 'holds')
  return (
    <Stack gap={2} align="start">
      <Badge color={COLOURS[standing]} variant="light" tt="none" radius="sm" styles={{ label: { overflow: 'visible' } }}>
        {t(standing)}
      </Badge>
      <Text size="xs" c="dimmed" component="span">
        {standing === 'outranked' && winner && t('lostTo', { source: data(`source_${winner.source}`) })}
        {standing === 'older' && t('lostToNewer')}
        {expiresAt !== null && (
          <>
            {standing === 'ended' ? t('endedAt') : t('endsAt')} <Moment at={expiresAt} />
          </>
        )}
      </Text>
    </Stack>
  )
}
