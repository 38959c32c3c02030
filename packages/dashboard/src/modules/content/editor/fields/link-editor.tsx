import { Group, Select, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useEditor } from '../editor-context.tsx'
import type { FieldEditorProps } from './field-editor-props.ts'
import { joinLink, LINK_KINDS, PREFIXES, splitLink, type LinkKind } from './link-parts.ts'
import { useTexts } from '../texts.ts'

/** Where a button leads: first the kind of target, then the rest. Both are stored as one address. */
export function LinkEditor({ label, value, hint, error, onChange }: FieldEditorProps) {
  const t = useTexts()
  const { isReadOnly } = useEditor()
  const url = typeof value === 'string' ? value : ''
  const hintUrl = typeof hint === 'string' ? hint : ''
  // An empty address has no kind of its own yet.
  const [emptyKind, setEmptyKind] = useState<LinkKind>(hintUrl === '' ? 'page' : splitLink(hintUrl).kind)
  const { kind, rest } = url === '' ? { kind: emptyKind, rest: '' } : splitLink(url)
  const prefix = PREFIXES[kind]
  const choose = (next: LinkKind) => {
    setEmptyKind(next)
    // When the kind changes, only the end of the address may still make sense.
    if (url !== '') onChange(joinLink(next, rest.replace(/^[a-z][a-z0-9+.-]*:\/*/i, '')))
  }
  const type = (typed: string) => {
    setEmptyKind(kind)
    onChange(joinLink(kind, typed))
  }
  return (
    <Group gap={6} align="flex-start" wrap="nowrap">
      <Select
        aria-label={t('linkKind', { label })}
        data={LINK_KINDS.map((each) => ({ value: each, label: t(`link_${each}`) }))}
        value={kind}
        onChange={(chosen) => chosen && choose(chosen)}
        allowDeselect={false}
        readOnly={isReadOnly}
        w={118}
        flex="0 0 auto"
      />
      <TextInput
        aria-label={label}
        value={rest}
        placeholder={hintUrl === '' ? t(`linkHint_${kind}`) : splitLink(hintUrl).rest}
        onChange={({ currentTarget }) => type(currentTarget.value)}
        readOnly={isReadOnly}
        error={error}
        dir="ltr"
        type={kind === 'mail' ? 'email' : kind === 'phone' ? 'tel' : 'text'}
        leftSection={
          prefix && (kind === 'page' || kind === 'web') ? (
            <Text size="sm" c="dimmed" className="cf-code">
              {prefix}
            </Text>
          ) : undefined
        }
        leftSectionWidth={kind === 'web' ? 74 : 30}
        flex={1}
        miw={0}
      />
    </Group>
  )
}
