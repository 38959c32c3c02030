import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { readWebAddress } from '@contentflow/core/messages/web-address.ts'
import type { WebAddress } from '@contentflow/server/wire.ts'
import { useWrite } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Section } from '../../../ui/section.tsx'
import { UnsavedGuard } from '../../../ui/unsaved/unsaved-guard.tsx'
import { OnlyFor } from '../notes.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { useWebAddressTexts } from './texts.ts'
import { useWebAddress, WEB_ADDRESS } from './use-web-address.ts'

/** The beginning of addresses for paths in messages, where no app opens them. */
export function WebAddressSection() {
  const t = useWebAddressTexts()
  const { mayAdmin } = useSession()
  return (
    <Section title={t('title')} text={t('text')} anchor="web-address">
      <Loaded read={useWebAddress()} height={90}>
        {({ url }) =>
          mayAdmin ? (
            <AddressForm key={url} current={url} />
          ) : (
            <Text fw={600} dir={url === null ? undefined : 'ltr'}>
              {url ?? t('none')}
            </Text>
          )
        }
      </Loaded>
      {!mayAdmin && <OnlyFor who="admins" />}
    </Section>
  )
}

function AddressForm({ current }: { current: string | null }) {
  const t = useWebAddressTexts()
  const [text, setText] = useState(current ?? '')
  const change = useWrite<string | null, WebAddress>((url) => ({ method: 'PUT', path: WEB_ADDRESS, body: { url } }), {
    stale: [WEB_ADDRESS, '/campaigns'],
    done: t('saved'),
    showsError: true,
  })
  const wanted = text.trim() === '' ? null : readWebAddress(text)
  const isChanged = text.trim() !== (current ?? '')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (wanted !== undefined && isChanged) change.mutate(wanted)
      }}
    >
      <UnsavedGuard isDirty={isChanged && !change.isPending && !change.isSuccess} />
      <Stack gap="sm" maw={480}>
        <TextInput
          label={t('label')}
          description={t('hint')}
          placeholder="https://shop.example.com"
          inputMode="url"
          dir="ltr"
          styles={{ label: { direction: 'inherit' } }}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value)
            change.reset()
          }}
          error={wanted === undefined ? t('wrong') : undefined}
        />
        {change.error && <Failure error={change.error} />}
        <Group>
          <Button type="submit" loading={change.isPending} disabled={wanted === undefined || !isChanged}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
