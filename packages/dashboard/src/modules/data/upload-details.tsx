import { SimpleGrid, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useRead } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { Failure } from '../../ui/failure.tsx'
import { Moment } from '../../ui/moments/moment.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { uploadPath, useMemberNames, type UploadPage } from './api.ts'
import { useReasonWords } from './reason-words.ts'
import { useTexts } from './texts.ts'
import { UploadState } from './upload-state.tsx'

/** One load: what it wrote, and the first rows that it refused. */
export function UploadDetails({ jobRef, onClose }: { jobRef: string; onClose: () => void }) {
  const t = useTexts()
  const { data, error, refetch } = useRead<UploadPage>(uploadPath(jobRef))
  return (
    <Dialog opened onClose={onClose} title={data ? data.label || t('noName') : t('details')} size="lg">
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton h={200} />}
      {data && (
        <Stack gap="md">
          <Facts upload={data} />
          {data.errors.length > 0 && <Errors upload={data} />}
        </Stack>
      )}
    </Dialog>
  )
}

function Facts({ upload }: { upload: UploadPage }) {
  const t = useTexts()
  const format = useFormat()
  const members = useMemberNames()
  const facts: [label: string, value: ReactNode][] = [
    [t('state'), <UploadState key="state" upload={upload} />],
    [t('source'), `${t(`source_${upload.source as 'csv_upload'}`)} (${t(`kind_${upload.kind}`)})`],
    [t('who'), members.get(upload.createdBy) ?? t('formerMember')],
    [t('when'), <Moment key="when" at={upload.createdAt} exact />],
    [t('total'), format.number(upload.totalRecords)],
    [t('written'), format.number(upload.written)],
    [t('values'), format.number(upload.valueCount)],
    [t('rejected'), format.number(upload.errorCount)],
    [t('notFound'), format.number(upload.notFound)],
    [t('expires'), upload.expiresAt === null ? t('noEnd') : <Moment key="expires" at={upload.expiresAt} exact />],
    ...(upload.rolledBackAt === null
      ? []
      : [[t('rolledBackAt'), <Moment key="back" at={upload.rolledBackAt} exact />] as [string, ReactNode]]),
    [t('attributes'), upload.attributes.length > 0 ? format.list(upload.attributes) : '–'],
  ]
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" component="dl" m={0}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <Text size="xs" c="dimmed" component="dt">
            {label}
          </Text>
          <Text size="sm" component="dd" m={0} style={{ overflowWrap: 'anywhere' }}>
            {value}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  )
}

function Errors({ upload: { errors, errorCount, kind } }: { upload: UploadPage }) {
  const t = useTexts()
  const format = useFormat()
  const say = useReasonWords()
  return (
    <Stack gap="xs">
      <Title order={3}>{t('rejectedRows')}</Title>
      {errorCount > errors.length && (
        <Text size="sm" c="dimmed">
          {t('firstErrors', { number: format.number(errors.length) })}
        </Text>
      )}
      <Table aria-label={t('rejectedRows')} fz="sm" verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th ta="end">{t('row')}</Table.Th>
            <Table.Th>{t('identifier')}</Table.Th>
            <Table.Th>{t('reason')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {errors.map(({ index, userId, error }) => (
            <Table.Tr key={index}>
              {/* Records of a simple upload are counted from 0. */}
              <Table.Td ta="end">{format.number(kind === 'simple' ? index + 1 : index)}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <bdi>{userId ?? '–'}</bdi>
              </Table.Td>
              <Table.Td>{say(error)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  )
}
