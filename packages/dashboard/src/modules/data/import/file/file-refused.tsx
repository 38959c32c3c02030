import { Alert, Stack, Text } from '@mantine/core'
import { LIMITS } from '@contentflow/core/limits.ts'
import { useFormat } from '../../../../format.ts'
import type { TableFault } from './read-table.ts'
import { useImportTexts } from '../texts.ts'

/** Why a file is not taken, before anything is sent. */
export function FileRefused({ name, fault }: { name: string; fault: TableFault }) {
  const t = useImportTexts()
  const format = useFormat()
  const numbers = {
    limit: format.number(LIMITS.peopleImportRows),
    megabytes: format.number(LIMITS.enrichmentFileBytes / 1_000_000),
    row: format.number(LIMITS.peopleImportRows + 1),
    line: format.number('line' in fault ? fault.line : 0),
  }
  return (
    <Alert role="alert" color="red" title={t('refusedFile', { name })}>
      <Stack gap={4}>
        <Text size="sm">{t(`fault_${fault.fault}`, numbers)}</Text>
        {'message' in fault && (
          <Text size="xs" dir="ltr" lang="en">
            {fault.message}
          </Text>
        )}
      </Stack>
    </Alert>
  )
}
