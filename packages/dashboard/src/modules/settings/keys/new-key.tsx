import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { ApiError } from '../../../api.ts'
import { useWrite } from '../../../data.ts'
import { Failure } from '../../../ui/failure.tsx'
import { ENDING } from '../access/api.ts'
import type { KeyKind, ShownKey } from '../api.ts'
import { EndDerivedKeys, useEndDerivedKeys } from './end-derived-keys.tsx'
import { KeyDialog } from './key-dialog.tsx'
import { bodyOf, hasEnvironment, KINDS, pathOf, type NewKey } from './key-use.ts'
import { useKeysTexts } from './texts-keys.ts'

export function NewKeyDialog({ first, onClose, onMade }: { first: KeyKind; onClose: () => void; onMade: (shown: ShownKey) => void }) {
  const t = useKeysTexts()
  const form = useForm<NewKey>({ initialValues: { kind: first, environment: 'live', name: '', origins: '', networks: '', endsOn: '' } })
  const make = useWrite<NewKey, ShownKey>((key) => ({ method: 'POST', path: pathOf(key.kind), body: bodyOf(key) }), {
    stale: ['/settings/', ENDING],
    showsError: true,
  })
  const { kind, environment } = form.values
  const ending = useEndDerivedKeys({ kind, environment })
  const isSandbox = make.error instanceof ApiError && make.error.code === 'SANDBOX_LIVE_KEY_FORBIDDEN'
  return (
    <KeyDialog
      title={t('newTitle')}
      question={t('useQuestion')}
      kinds={KINDS.map((id) => ({ id, label: t(`kind_${id}`), text: t(`kind_${id}_text`) }))}
      first={first}
      environmentText={hasEnvironment(kind) ? t(`environment_${environment}_text`) : null}
      name={{ label: t('name'), description: t('nameText'), placeholder: t(`name_${kind}`) }}
      inputProps={form.getInputProps}
      below={
        <>
          <EndDerivedKeys ending={ending} />
          {make.error && <Failure error={isSandbox ? new Error(t('sandboxLive')) : make.error} />}
        </>
      }
      isBusy={make.isPending}
      onSubmit={form.onSubmit((key) =>
        make.mutate(key, {
          onSuccess: (shown) => {
            ending.end()
            onMade(shown)
          },
        }),
      )}
      onClose={onClose}
    >
      <KeyBounds hasOrigins={hasEnvironment(kind)} inputProps={form.getInputProps} />
    </KeyDialog>
  )
}

type KeyBoundsProps = { hasOrigins: boolean; inputProps: (member: 'origins' | 'networks' | 'endsOn') => object }

/** Where a key may be used, and until when. */
function KeyBounds({ hasOrigins, inputProps }: KeyBoundsProps) {
  const t = useKeysTexts()
  return (
    <>
      {hasOrigins && (
        <TextInput
          label={t('origins')}
          description={t('originsText')}
          placeholder="https://shop.example"
          dir="ltr"
          {...inputProps('origins')}
        />
      )}
      <TextInput label={t('networks')} description={t('networksText')} placeholder="203.0.113.0/24" dir="ltr" {...inputProps('networks')} />
      <TextInput type="date" label={t('endsOn')} description={t('endsOnText')} maw={220} {...inputProps('endsOn')} />
    </>
  )
}
