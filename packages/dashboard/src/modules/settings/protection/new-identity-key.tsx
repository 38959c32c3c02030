import type { ShownIdentityKey } from '@contentflow/server/wire.ts'
import { Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useWrite } from '../../../data.ts'
import { Failure } from '../../../ui/failure.tsx'
import { KeyDialog } from '../keys/key-dialog.tsx'
import { IDENTITY_KEYS_PATH } from './paths.ts'
import { useIdentityTexts } from './texts-identity.ts'

const KINDS = ['secret', 'public', 'jwks'] as const
type Draft = {
  kind: (typeof KINDS)[number]
  environment: 'live' | 'test'
  name: string
  publicKey: string
  jwksUrl: string
}

/** Only the members of this kind of key. */
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
  const form = useForm<Draft>({ initialValues: { kind: 'secret', environment: 'live', name: '', publicKey: '', jwksUrl: '' } })
  const make = useWrite<Draft, ShownIdentityKey>((draft) => ({ method: 'POST', path: IDENTITY_KEYS_PATH, body: bodyOf(draft) }), {
    stale: [IDENTITY_KEYS_PATH],
    showsError: true,
  })
  const { kind } = form.values
  return (
    <KeyDialog
      title={t('newKeyTitle')}
      question={t('kindQuestion')}
      kinds={KINDS.map((id) => ({ id, label: t(`kind_${id}`), text: t(`kind_${id}_text`) }))}
      first="secret"
      name={{ label: t('keyName'), placeholder: t('keyNameExample') }}
      inputProps={form.getInputProps}
      below={make.error && <Failure error={make.error} />}
      isBusy={make.isPending}
      onSubmit={form.onSubmit((draft) => make.mutate(draft, { onSuccess: onMade }))}
      onClose={onClose}
    >
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
    </KeyDialog>
  )
}
