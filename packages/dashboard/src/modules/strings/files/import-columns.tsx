import { Alert, NativeSelect, Table, Text } from '@mantine/core'
import { targetsOf, type ColumnTarget } from '@contentflow/core/strings/import-columns.ts'
import { useFormat } from '../../../format.ts'
import type { Languages } from '../api.ts'
import { useLanguageName } from '../language-name.ts'
import type { ReadableFile } from './import-file.ts'
import { useImportTexts } from './import-texts.ts'

type ImportColumnsProps = { file: ReadableFile; targets: ColumnTarget[]; languages: Languages; onChange: (targets: ColumnTarget[]) => void }

/** The target of each column of a file: suggested, and chosen by hand. */
export function ImportColumns({ file, targets, languages, onChange }: ImportColumnsProps) {
  const t = useImportTexts()
  const format = useFormat()
  const options = useOptions(languages)
  const ignored = file.columns.filter(({ at }) => targets[at] === 'ignored')
  const titleOf = ({ name, at }: { name: string; at: number }) => name || t('unnamed', { number: format.number(at + 1) })
  /** One column for each target: the column that had it before is then left out. */
  const choose = (at: number, target: ColumnTarget) =>
    onChange(targets.map((other, index) => (index === at ? target : target !== 'ignored' && other === target ? 'ignored' : other)))
  return (
    <>
      <Table aria-label={t('columns')} withTableBorder verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('column')}</Table.Th>
            <Table.Th visibleFrom="xs">{t('sample')}</Table.Th>
            <Table.Th>{t('meaning')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {file.columns.map((column) => (
            <Table.Tr key={column.at}>
              <Table.Td>
                <Text span size="sm" className="cf-code" style={{ overflowWrap: 'anywhere' }}>
                  {titleOf(column)}
                </Text>
              </Table.Td>
              <Table.Td visibleFrom="xs">
                {column.samples.map((sample, index) => (
                  <Text key={index} size="xs" c="dimmed" lineClamp={1} dir="auto" className="cf-foreign">
                    {sample}
                  </Text>
                ))}
              </Table.Td>
              <Table.Td>
                <NativeSelect
                  size="sm"
                  aria-label={t('meaningOf', { column: titleOf(column) })}
                  data={options}
                  value={targets[column.at] ?? 'ignored'}
                  onChange={({ currentTarget }) =>
                    choose(column.at, options.find(({ value }) => value === currentTarget.value)?.value ?? 'ignored')
                  }
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {!targets.includes('key') && (
        <Alert color="red" role="status">
          {t('chooseKey')}
        </Alert>
      )}
      {ignored.length > 0 && (
        <Alert color="orange">{t('ignoredColumns', { count: ignored.length, names: format.list(ignored.map(titleOf)) })}</Alert>
      )}
    </>
  )
}

function useOptions(languages: Languages): { value: ColumnTarget; label: string }[] {
  const t = useImportTexts()
  const nameOf = useLanguageName()
  const source = languages.source?.code ?? 'en'
  const labelOf = (target: ColumnTarget): string => {
    if (target === 'source') return languages.source ? t('meaning_sourceIn', { language: nameOf(languages.source) }) : t('meaning_source')
    if (!target.startsWith('locale:')) return t(`meaning_${target as 'key'}`)
    const locale = languages.translated.find(({ code }) => `locale:${code}` === target)
    return t('meaning_translation', { language: locale ? nameOf(locale) : target })
  }
  const targets = targetsOf({ source, translated: languages.translated.map(({ code }) => code) })
  return targets.map((value) => ({ value, label: labelOf(value) }))
}
