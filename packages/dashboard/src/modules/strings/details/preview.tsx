import { Badge, Group, Select, SimpleGrid, Stack, Table, Text, TextInput } from '@mantine/core'
import { readMessage } from '@contentflow/core/strings/message-format.ts'
import { formatMessage } from '@contentflow/sdk'
import { useState } from 'react'
import { inLanguage, type Languages, type Locale, type StringItem } from '../api.ts'
import { useLanguageName } from '../language-name.ts'
import { pluralForms, samplesOf, sampleText, valuesOf, type Sample } from './samples.ts'
import { useTexts } from '../texts.ts'
import { NumberField } from '../../../ui/fields/number-field.tsx'

/** The string as an app shows it: filled in by the very function of the SDK, in every plural form of the language. */
export function Preview({ item, languages, preferred }: { item: StringItem; languages: Languages; preferred: string | undefined }) {
  const t = useTexts()
  const nameOf = useLanguageName()
  const [chosen, setChosen] = useState<string>()
  const [typed, setTyped] = useState<Record<string, string>>({})
  const code = chosen ?? preferred
  const locale = languages.all.find((known) => known.code === code) ?? languages.source
  const tag = locale?.code ?? 'en'
  const translation = locale && !locale.source ? item.translations[locale.code]?.text : undefined
  const text = translation ?? item.sourceText
  // A source text that stands in for a translation is formatted in the language that was asked for, as in apps.
  const samples = samplesOf([item.sourceText, text])
  const today = new Date().toISOString().slice(0, 10)
  const filled = Object.fromEntries(samples.map((sample) => [sample.name, typed[sample.name] ?? sampleText(sample, today)]))
  const values = valuesOf(samples, filled)
  const shownIn = translation == null ? inLanguage(languages.source) : inLanguage(locale)
  return (
    <Stack gap="sm">
      <Select
        label={t('language')}
        data={languages.all.map((known) => ({ value: known.code, label: nameOf(known) }))}
        value={locale?.code ?? null}
        onChange={(value) => setChosen(value ?? undefined)}
        allowDeselect={false}
        maw={280}
      />
      {locale && !locale.source && translation == null && (
        <Text size="xs" c="dimmed">
          {t('previewOfSource', { language: languages.source ? nameOf(languages.source) : '' })}
        </Text>
      )}
      {samples.length > 0 && (
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
          {samples.map((sample) => (
            <SampleField
              key={sample.name}
              sample={sample}
              value={filled[sample.name] ?? ''}
              onChange={(value) => setTyped((before) => ({ ...before, [sample.name]: value }))}
            />
          ))}
        </SimpleGrid>
      )}
      {!readMessage(text).ok && (
        <Text size="xs" c="dimmed">
          {t('previewOtherFormat')}
        </Text>
      )}
      <Text
        {...shownIn}
        p="sm"
        bg="var(--mantine-color-default-hover)"
        style={{ borderRadius: 8, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
        data-testid="preview"
      >
        {formatMessage(text, values, tag)}
      </Text>
      <PluralForms text={text} values={values} locale={locale} tag={tag} shownIn={shownIn} />
    </Stack>
  )
}

function SampleField({
  sample: { name, kind, options },
  value,
  onChange,
}: {
  sample: Sample
  value: string
  onChange: (value: string) => void
}) {
  const label = <span className="cf-code">{name}</span>
  if (kind === 'number')
    return <NumberField size="xs" label={label} value={numberIn(value)} onChange={(number) => onChange(String(number ?? ''))} />
  if (kind === 'choice')
    return (
      <Select size="xs" label={label} data={options} value={value} onChange={(option) => onChange(option ?? '')} allowDeselect={false} />
    )
  return (
    <TextInput
      size="xs"
      label={label}
      type={kind === 'date' ? 'date' : 'text'}
      dir="auto"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

/** The number in a field; undefined where it was emptied. */
function numberIn(text: string): number | undefined {
  return text === '' ? undefined : Number(text)
}

type PluralFormsProps = {
  text: string
  values: ReturnType<typeof valuesOf>
  locale: Locale | undefined
  tag: string
  shownIn: ReturnType<typeof inLanguage>
}

function PluralForms({ text, values, locale, tag, shownIn }: PluralFormsProps) {
  const t = useTexts()
  const nameOf = useLanguageName()
  const forms = pluralForms(text, tag)
  if (forms.length === 0) return null
  return (
    <Table verticalSpacing={6} layout="fixed">
      <Table.Caption style={{ captionSide: 'top', textAlign: 'start' }}>
        {t('everyForm', { language: locale ? nameOf(locale) : tag })}
      </Table.Caption>
      <Table.Tbody>
        {forms.map(({ name, form, count }) => (
          <Table.Tr key={`${name} ${form}`}>
            <Table.Td w={150}>
              <Group gap={6}>
                <Badge variant="default" size="sm" tt="none" className="cf-code">
                  {form}
                </Badge>
                <Text size="xs" c="dimmed" className="cf-code">
                  {name} = {count}
                </Text>
              </Group>
            </Table.Td>
            <Table.Td {...shownIn} style={{ overflowWrap: 'anywhere' }}>
              {formatMessage(text, { ...values, [name]: count }, tag)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
