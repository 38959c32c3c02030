import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import { Failure } from './failure.tsx'
import { useTexts } from './texts.ts'

type FormDialogProps = {
  title: string
  /** What the button that sends says. */
  action: string
  isBusy: boolean
  error: Error | null
  onSubmit: () => void
  onClose: () => void
  /** Further buttons, before those of every form. */
  aside?: ReactNode
  children: ReactNode
}

/** A window with a form: what was refused stands under the fields, and a click beside it loses nothing. */
export function FormDialog({ title, action, isBusy, error, onSubmit, onClose, aside, children }: FormDialogProps) {
  const t = useTexts()
  return (
    <Dialog opened onClose={onClose} title={title} closeOnClickOutside={false}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
      >
        <Stack>
          {children}
          {error && <Failure error={error} />}
          <Group justify="flex-end">
            {aside}
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={isBusy}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
