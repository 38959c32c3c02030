import { ActionIcon, TextInput, Tooltip } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { fromLeft } from './field-direction.tsx'
import { useTexts } from '../texts.ts'
import classes from '../editor.module.css'

type ColourFieldProps = {
  label: string
  /** `#rrggbb`; undefined: none. */
  value: string | undefined
  onChange: (colour: string | undefined) => void
  onBlur?: () => void
  description?: string | undefined
  error?: string | undefined
  /** Whether it may be empty. */
  isOptional?: boolean
}

/** A colour, typed or picked with what the system has for that. */
export function ColourField({ label, value, onChange, onBlur, description, error, isOptional = false }: ColourFieldProps) {
  const t = useTexts()
  const [typed, setTyped] = useState<string>()
  const isColour = (text: string) => /^#[0-9a-f]{6}$/.test(text)
  const take = (text: string) => {
    const colour = text.trim().toLowerCase()
    setTyped(isColour(colour) ? undefined : text)
    if (isColour(colour)) onChange(colour)
    else if (colour === '' && isOptional) onChange(undefined)
  }
  return (
    <TextInput
      label={label}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={description}
      error={error}
      value={typed ?? value ?? ''}
      placeholder={isOptional ? t('backgroundNone') : '#0f766e'}
      onChange={({ currentTarget }) => take(currentTarget.value)}
      onBlur={() => {
        setTyped(undefined)
        onBlur?.()
      }}
      inputContainer={fromLeft}
      autoComplete="off"
      spellCheck={false}
      leftSection={
        <input
          type="color"
          className={classes.swatch}
          aria-label={`${t('pickColour')}: ${label}`}
          value={value ?? '#ffffff'}
          onChange={({ currentTarget }) => take(currentTarget.value)}
          onBlur={onBlur}
        />
      }
      leftSectionPointerEvents="all"
      rightSection={
        isOptional &&
        value !== undefined && (
          <Tooltip label={t('clear')}>
            <ActionIcon variant="subtle" color="gray" size={28} aria-label={`${t('clear')}: ${label}`} onClick={() => onChange(undefined)}>
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )
      }
      rightSectionPointerEvents="all"
    />
  )
}
