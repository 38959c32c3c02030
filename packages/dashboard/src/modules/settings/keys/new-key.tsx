import { Button, Group, Radio, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useId } from 'react'
import { ApiError } from '../../../api.ts'
import { useWrite } from '../../../data.ts'
import { Failure } from '../../../ui/failure.tsx'
import type { Environment, KeyKind, ShownKey } from '../api.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { EndDerivedKeys, useEndDerivedKeys } from './end-derived-keys.tsx'
import { bodyOf, hasEnvironment, KINDS, pathOf, type NewKey } from './key-use.ts'
import { useKeysTexts } from './texts-keys.ts'

const ENVIRONMENTS = ['live', 'test'] as const satisfies Environment[]

export function NewKeyDialog({ first, onClose, onMade }: { first: KeyKind; onClose: () => void; onMade: (shown: ShownKey) => void }) {
  const t = useKeysTexts()
  const environmentLabel = useId()
  const form = useForm<NewKey>({ initialValues: { kind: first, environment: 'live', name: '' } })
  const make = useWrite<NewKey, ShownKey>((key) => ({ method: 'POST', path: pathOf(key.kind), body: bodyOf(key) }), {
    stale: ['/settings/'],
    showsError: true,
  })
  const { kind, environment } = form.values
  const ending = useEndDerivedKeys({ kind, environment })
  const isSandbox = make.error instanceof ApiError && make.error.code === 'SANDBOX_LIVE_KEY_FORBIDDEN'
  return (
    <Dialog opened onClose={onClose} title={t('newTitle')}>
      <form
        onSubmit={form.onSubmit((key) =>
          make.mutate(key, {
            onSuccess: (shown) => {
              ending.end()
              onMade(shown)
            },
          }),
        )}
      >
        <Stack>
          <Radio.Group label={t('useQuestion')} {...form.getInputProps('kind')}>
            <Stack gap="xs" mt={6}>
              {KINDS.map((id) => (
                <Radio
                  key={id}
                  value={id}
                  data-autofocus={id === first || undefined}
                  label={t(`kind_${id}`)}
                  description={t(`kind_${id}_text`)}
                />
              ))}
            </Stack>
          </Radio.Group>
          {hasEnvironment(kind) && (
            <Stack gap={4}>
              <Text size="sm" fw={500} id={environmentLabel}>
                {t('environment')}
              </Text>
              <SegmentedControl
                aria-labelledby={environmentLabel}
                data={ENVIRONMENTS.map((value) => ({ value, label: t(`environment_${value}`) }))}
                {...form.getInputProps('environment')}
              />
              <Text size="sm" c="dimmed">
                {t(`environment_${environment}_text`)}
              </Text>
            </Stack>
          )}
          <TextInput
            label={t('name')}
            description={t('nameText')}
            placeholder={t(`name_${kind}`)}
            maxLength={150}
            {...form.getInputProps('name')}
          />
          <EndDerivedKeys ending={ending} />
          {make.error && <Failure error={isSandbox ? new Error(t('sandboxLive')) : make.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={make.isPending}>
              {t('make')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
