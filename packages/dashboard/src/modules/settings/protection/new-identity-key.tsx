import type { ShownIdentityKey } from '@contentflow/server/wire.ts'
import { Button, Group, Radio, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useId } from 'react'
import { useWrite } from '../../../data.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { IDENTITY_KEYS_PATH } from './paths.ts'
import { useIdentityTexts } from './texts-identity.ts'

const KINDS = ['secret', 'public', 'jwks'] as const
const ENVIRONMENTS = ['live', 'test'] as const
type Draft = {
  kind: (typeof KINDS)[number]
  environment: (typeof ENVIRONMENTS)[number]
  name: string
  publicKey: string
  jwksUrl: string
}

/** Only what belongs to the kind. */
function bodyOf({ kind, environment, name, publicKey, jwksUrl }: Draft): object {
  return {
    kind,
    environment,
    name: name.trim(),
    ...(kind === 'public' && { publicKey: publicKey.trim() }),
    ...(kind === 'jwks' && { jwksUrl: jwksUrl.trim() }),
  }
}

/** A further key of user tokens: a secret that is made here, a public key that is pasted, or an address that has them. */
export function NewIdentityKey({ onClose, onMade }: { onClose: () => void; onMade: (made: ShownIdentityKey) => void }) {
  const t = useIdentityTexts()
  const environmentLabel = useId()
  const form = useForm<Draft>({ initialValues: { kind: 'secret', environment: 'live', name: '', publicKey: '', jwksUrl: '' } })
  const make = useWrite<Draft, ShownIdentityKey>((draft) => ({ method: 'POST', path: IDENTITY_KEYS_PATH, body: bodyOf(draft) }), {
    stale: [IDENTITY_KEYS_PATH],
    showsError: true,
  })
  const { kind } = form.values
  return (
    <Dialog opened onClose={onClose} title={t('newKeyTitle')}>
      <form onSubmit={form.onSubmit((draft) => make.mutate(draft, { onSuccess: onMade }))}>
        <Stack>
          <Radio.Group label={t('kindQuestion')} {...form.getInputProps('kind')}>
            <Stack gap="xs" mt={6}>
              {KINDS.map((id) => (
                <Radio
                  key={id}
                  value={id}
                  data-autofocus={id === 'secret' || undefined}
                  label={t(`kind_${id}`)}
                  description={t(`kind_${id}_text`)}
                />
              ))}
            </Stack>
          </Radio.Group>
          <Stack gap={4}>
            <Text size="sm" fw={500} id={environmentLabel}>
              {t('environment')}
            </Text>
            <SegmentedControl
              aria-labelledby={environmentLabel}
              data={ENVIRONMENTS.map((value) => ({ value, label: t(value) }))}
              {...form.getInputProps('environment')}
            />
          </Stack>
          {kind === 'public' && (
            <Textarea
              label={t('publicKey')}
              description={t('publicKeyText')}
              placeholder={'-----BEGIN PUBLIC KEY-----'}
              required
              autosize
              minRows={4}
              maxLength={4_000}
              dir="ltr"
              spellCheck={false}
              {...form.getInputProps('publicKey')}
            />
          )}
          {kind === 'jwks' && (
            <TextInput
              label={t('jwksUrl')}
              description={t('jwksUrlText')}
              placeholder="https://login.example/.well-known/jwks.json"
              required
              type="url"
              maxLength={2_000}
              dir="ltr"
              {...form.getInputProps('jwksUrl')}
            />
          )}
          <TextInput label={t('keyName')} placeholder={t('keyNameExample')} maxLength={150} {...form.getInputProps('name')} />
          {make.error && <Failure error={make.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={make.isPending}>
              {t('makeKey')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
