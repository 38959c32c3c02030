import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTexts } from '../texts.ts'

/** Searches while one types, a moment after the last key. */
export function SearchField({ value, onChange, label }: { value: string; onChange: (value: string) => void; label?: string }) {
  const t = useTexts()
  const [text, setText] = useState(value)
  const search = useDebouncedCallback(onChange, 250)
  useEffect(() => setText(value), [value])
  return (
    <TextInput
      type="search"
      role="searchbox"
      aria-label={label ?? t('search')}
      placeholder={label ?? t('search')}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={text && <CloseButton size="sm" aria-label={t('clear')} onClick={() => (setText(''), onChange(''))} />}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        search(currentTarget.value)
      }}
      w={{ base: '100%', xs: 280 }}
    />
  )
}
