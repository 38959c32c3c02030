import { Button, Group, Radio, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useId, type FormEvent, type ReactNode } from 'react'
import { useKeysTexts } from './texts-keys.ts'
import { Dialog } from '../../../ui/dialog.tsx'

const ENVIRONMENTS = ['live', 'test'] as const

type KeyDialogProps = {
  title: string
  /** Asks what the key is for. */
  question: string
  kinds: { id: string; label: string; text: string }[]
  /** The kind that has the focus. */
  first: string
  /** Under the choice of environment. Null: the key belongs to none. */
  environmentText?: string | undefined | null
  name: { label: string; description?: string; placeholder: string }
  inputProps: (member: 'kind' | 'environment' | 'name') => object
  /** Further fields of the key. */
  children?: ReactNode
  /** Stands above the buttons: what else happens, and what went wrong. */
  below: ReactNode
  isBusy: boolean
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  onClose: () => void
}

/** Makes a key: what it is for, where it holds and what it is called. */
export function KeyDialog({ title, question, kinds, first, name, inputProps, children, below, ...props }: KeyDialogProps) {
  const t = useKeysTexts()
  const { environmentText, isBusy, onSubmit, onClose } = props
  const environmentLabel = useId()
  return (
    <Dialog opened onClose={onClose} title={title}>
      <form onSubmit={onSubmit}>
        <Stack>
          <Radio.Group label={question} {...inputProps('kind')}>
            <Stack gap="xs" mt={6}>
              {kinds.map(({ id, label, text }) => (
                <Radio key={id} value={id} data-autofocus={id === first || undefined} label={label} description={text} />
              ))}
            </Stack>
          </Radio.Group>
          {environmentText !== null && (
            <Stack gap={4}>
              <Text size="sm" fw={500} id={environmentLabel}>
                {t('environment')}
              </Text>
              <SegmentedControl
                aria-labelledby={environmentLabel}
                data={ENVIRONMENTS.map((value) => ({ value, label: t(`environment_${value}`) }))}
                {...inputProps('environment')}
              />
              {environmentText && (
                <Text size="sm" c="dimmed">
                  {environmentText}
                </Text>
              )}
            </Stack>
          )}
          {children}
          <TextInput {...name} maxLength={150} {...inputProps('name')} />
          {below}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={isBusy}>
              {t('make')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
