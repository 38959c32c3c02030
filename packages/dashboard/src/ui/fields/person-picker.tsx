import { CloseButton, Combobox, Loader, Text, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconUserSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { PersonRow } from '@contentflow/server/wire.ts'
import { useRead } from '../../data.ts'
import type { Environment } from '../environment.tsx'
import { useTexts } from '../texts.ts'

type PickerProps = {
  /** The id of the chosen person; empty: none yet. */
  value: string
  /** A user id, the device id of an anonymous person, or an id as it was typed. */
  onChange: (id: string) => void
  environment: Environment
  label?: string
}

/** Finds a person by name, email, phone or id. Enter takes the first result. */
export function PersonPicker({ value, onChange, environment, label }: PickerProps) {
  const t = useTexts()
  const [text, setText] = useState(value)
  const [asked] = useDebouncedValue(text.trim(), 200)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const isTyping = combobox.dropdownOpened && text.trim() !== ''
  const { data, isFetching } = useRead<{ users: PersonRow[] }>('/users', { search: asked, environment, limit: 8 }, { when: isTyping })
  const isSettled = asked === text.trim() && !isFetching
  const people = isTyping ? (data?.users ?? []) : []
  useEffect(() => {
    if (!isTyping) setText(value)
    // Text that was typed before the choice reached the address stays.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [value])
  const first = people.map(idOf)[0]
  useEffect(() => {
    if (isTyping) combobox.selectFirstOption()
    // Only when other people are found.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isTyping, first, isSettled])
  const pick = (id: string) => {
    setText(id)
    onChange(id)
    combobox.closeDropdown()
  }
  return (
    <Combobox store={combobox} onOptionSubmit={pick} shadow="md">
      <Combobox.Target withExpandedAttribute>
        <TextInput
          aria-label={label ?? t('person')}
          placeholder={label ?? t('person')}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value)
            combobox.openDropdown()
          }}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onBlur={() => {
            combobox.closeDropdown()
            setText(value)
          }}
          autoComplete="off"
          spellCheck={false}
          leftSection={<IconUserSearch size={16} aria-hidden />}
          rightSection={
            isTyping && isFetching ? (
              <Loader size="xs" aria-label={t('loading')} />
            ) : value !== '' ? (
              <CloseButton size="sm" aria-label={t('clear')} onMouseDown={(event) => event.preventDefault()} onClick={() => pick('')} />
            ) : undefined
          }
          w="100%"
          maw={420}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={!isTyping}>
        <Combobox.Options aria-label={label ?? t('person')} mah={320} style={{ overflowY: 'auto' }}>
          {people.map((person) => (
            <Combobox.Option key={idOf(person)} value={idOf(person)}>
              <PersonWords person={person} />
            </Combobox.Option>
          ))}
          {isSettled && !people.some((person) => idOf(person) === text.trim()) && (
            <Combobox.Option value={text.trim()}>
              <Text size="sm">{t('useId', { id: text.trim() })}</Text>
            </Combobox.Option>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

function idOf({ userId, deviceId }: PersonRow): string {
  return userId ?? deviceId ?? ''
}

function PersonWords({ person }: { person: PersonRow }) {
  const t = useTexts()
  const { userId, name, email, phone } = person
  const title = name ?? (userId === null ? t('anonymous') : userId)
  return (
    <>
      <Text size="sm" fw={600} truncate>
        {title}
      </Text>
      <Text size="xs" c="dimmed" truncate>
        {[idOf(person), email, phone]
          .filter((each) => each !== null && each !== title)
          .map((each) => `\u2066${each}\u2069`)
          .join(' · ')}
      </Text>
    </>
  )
}
