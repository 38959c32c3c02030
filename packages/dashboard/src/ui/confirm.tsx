import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import { useTexts } from './texts.ts'

type ConfirmProps = {
  isOpen: boolean
  onClose: () => void
  onConfirm: () => void
  title: string
  /** What will happen, and what cannot be undone. */
  children: ReactNode
  /** The verb on the button. */
  action: string
  isDangerous?: boolean
  isBusy?: boolean
  /** Has to be typed before the button works: for what cannot be taken back. */
  typed?: string
}

export function Confirm({ isOpen, onClose, onConfirm, title, children, action, isDangerous, isBusy, typed }: ConfirmProps) {
  const t = useTexts()
  const [text, setText] = useState('')
  const close = () => (setText(''), onClose())
  return (
    <Dialog opened={isOpen} onClose={close} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onConfirm()
        }}
      >
        <Stack gap="md">
          <Text size="sm" component="div">
            {children}
          </Text>
          {typed !== undefined && (
            <TextInput
              label={t('typeToConfirm', { text: typed })}
              value={text}
              // Copied from the label, it may bring the invisible marks of its direction along.
              onChange={({ currentTarget }) => setText(currentTarget.value.replace(/[\u2066-\u2069]/g, ''))}
              autoComplete="off"
              dir="ltr"
              data-autofocus
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('cancel')}
            </Button>
            <Button type="submit" color={isDangerous ? 'red' : undefined} loading={isBusy} disabled={typed !== undefined && text !== typed}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
