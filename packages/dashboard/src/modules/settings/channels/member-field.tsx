import {
  Button,
  FileButton,
  Group,
  NativeSelect,
  PasswordInput,
  Stack,
  Switch,
  Textarea,
  TextInput,
  type TextareaProps,
} from '@mantine/core'
import { IconFile } from '@tabler/icons-react'
import type { Configuration, Member } from '@contentflow/core/channels/channel.ts'
import { isSecret } from '@contentflow/core/channels/configuration.ts'
import type { ProviderName } from '@contentflow/core/channels/providers.ts'
import { memberHelp, memberName } from './providers.ts'
import { useProviderTexts } from './texts-providers.ts'
import { useChannelTexts } from './texts.ts'

type MemberFieldProps = {
  provider: ProviderName
  member: Member
  value: string | boolean
  onChange: (value: string | boolean) => void
  stored: Configuration[string] | undefined
  fault?: string | undefined
}

/** The field for one member of a configuration, by its kind. */
export function MemberField({ provider, member, value, onChange, stored, fault }: MemberFieldProps) {
  const t = useChannelTexts()
  const say = useProviderTexts()
  const { name, kind, choices, isRequired, example } = member
  const isKept = stored !== undefined && (isSecret(name) || kind === 'object')
  const help = memberHelp(provider, member, say)
  const common = {
    label: memberName(member, say),
    description: help,
    error: fault,
    // Not the browser's own check, which is in the browser's language.
    withAsterisk: isRequired === true && !isKept,
    name,
  }
  if (typeof value === 'boolean')
    return (
      <Switch
        label={common.label}
        description={help}
        name={name}
        checked={value}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    )
  if (choices)
    return (
      <NativeSelect
        {...common}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        data={choices.map((choice) => ({ value: choice, label: say(`region_${choice as 'us' | 'eu'}`) }))}
        maw={280}
      />
    )
  const placeholder = isKept ? keptText(t, stored) : name === 'fromName' ? say('example_fromName') : String(example)
  if (kind === 'pem' || kind === 'object')
    return (
      <FileField
        {...common}
        value={value}
        onChange={onChange}
        placeholder={placeholder}
        accept={kind === 'object' ? '.json,application/json' : '.p8,.pem'}
      />
    )
  const text = {
    ...common,
    value,
    onChange: ({ currentTarget }: React.ChangeEvent<HTMLInputElement>) => onChange(currentTarget.value),
    placeholder,
    autoComplete: 'off',
    // Addresses and codes are written from the left; names, and words in the place of a secret, as the page is.
    dir: name === 'fromName' || (value === '' && isKept) ? undefined : 'ltr',
  }
  if (isSecret(name)) return <PasswordInput {...text} autoComplete="new-password" />
  return <TextInput {...text} {...(kind === 'number' && { inputMode: 'numeric' as const, styles: { wrapper: { maxWidth: 160 } } })} />
}

type FileFieldProps = Omit<TextareaProps, 'onChange' | 'value'> & { value: string; onChange: (text: string) => void; accept: string }

/** The text of a file: chosen, or pasted. */
function FileField({ value, onChange, accept, ...rest }: FileFieldProps) {
  const t = useChannelTexts()
  return (
    <Stack gap={6}>
      <Textarea
        {...rest}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        minRows={3}
        maxRows={8}
        autosize
        spellCheck={false}
        classNames={{ input: value === '' ? '' : 'cf-code' }}
      />
      <Group>
        <FileButton accept={accept} onChange={(file) => void file?.text().then(onChange)}>
          {(button) => (
            <Button size="xs" variant="default" leftSection={<IconFile size={16} aria-hidden />} {...button}>
              {t('chooseFile')}
              <span className="cf-visually-hidden">: {rest.label}</span>
            </Button>
          )}
        </FileButton>
      </Group>
    </Stack>
  )
}

function keptText(t: ReturnType<typeof useChannelTexts>, stored: Configuration[string] | undefined): string {
  const project = typeof stored === 'object' ? stored['project_id'] : undefined
  return project === undefined ? t('keepSecret') : t('keepAccount', { name: project })
}
