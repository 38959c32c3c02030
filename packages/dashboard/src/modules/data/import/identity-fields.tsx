import { Alert, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { IDENTITY_TYPES, type IdentityType } from '@contentflow/core/imports/mapping.ts'
import { withCountry } from '@contentflow/core/imports/phone-country.ts'
import { useFormat } from '../../../format.ts'
import { withIdentity, type Draft } from './draft.ts'
import type { OpenFile } from './file/open-file.ts'
import { useImportTexts } from './texts.ts'

type IdentityFieldsProps = { file: OpenFile; draft: Draft; onDraft: (change: (before: Draft) => Draft) => void }

/** Which column says whom a row is about, what it holds, and what its cells lack. */
export function IdentityFields({ file: { shape }, draft, onDraft }: IdentityFieldsProps) {
  const t = useImportTexts()
  const format = useFormat()
  const { column, type } = draft.identity
  const at = shape.header.indexOf(column)
  const notes = shape.notes[at]
  return (
    <Stack gap="xs">
      <Group gap="sm" align="end">
        <NativeSelect
          label={t('identityColumn')}
          value={column}
          data={[{ value: '', label: t('chooseColumn') }, ...shape.header.map((name) => ({ value: name, label: name }))]}
          onChange={({ currentTarget: { value } }) => onDraft((before) => withIdentity(before, value, shape))}
        />
        <NativeSelect
          label={t('identityType')}
          value={type}
          data={IDENTITY_TYPES.map((value) => ({ value, label: t(`identity_${value}`) }))}
          onChange={({ currentTarget: { value } }) =>
            onDraft((before) => ({ ...before, identity: { ...before.identity, type: value as IdentityType } }))
          }
        />
      </Group>
      {type === 'phone' && notes && notes.withoutCountry > 0 && (
        <CountryCode draft={draft} sample={shape.samples[at]?.[0]} onDraft={onDraft} />
      )}
      {notes && notes.shortened > 0 && (
        <Alert color="orange" role="status">
          {t('shortened', { count: notes.shortened, number: format.number(notes.shortened), column })}
        </Alert>
      )}
    </Stack>
  )
}

type CountryCodeProps = Pick<IdentityFieldsProps, 'draft' | 'onDraft'> & { sample: string | undefined }

function CountryCode({ draft: { countryCode }, sample, onDraft }: CountryCodeProps) {
  const t = useImportTexts()
  const isCode = /^[1-9]\d{0,3}$/.test(countryCode)
  return (
    <TextInput
      maw={420}
      label={t('countryCode')}
      description={t('countryCodeText')}
      placeholder="+966"
      dir="ltr"
      inputMode="tel"
      maxLength={8}
      value={countryCode === '' ? '' : `+${countryCode}`}
      error={countryCode !== '' && !isCode && t('badCountryCode')}
      onChange={({ currentTarget: { value } }) => onDraft((before) => ({ ...before, countryCode: codeIn(value) }))}
      {...(isCode &&
        sample !== undefined && { description: t('countryCodeSample', { from: sample, to: withCountry(sample, countryCode) }) })}
    />
  )
}

/** Digits as Arabic and Persian write them are digits, and blanks and signs before them nothing. */
function codeIn(text: string): string {
  return text
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replaceAll(/\D/g, '')
    .replace(/^0+/, '')
}
