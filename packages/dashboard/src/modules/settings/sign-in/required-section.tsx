import { Button, Group, MultiSelect, Stack, Switch } from '@mantine/core'
import { useState } from 'react'
import type { SignInSettings } from '@contentflow/server/wire.ts'
import { usePages, useRead, useWrite } from '../../../data.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Section } from '../../../ui/section.tsx'
import type { Member } from '../api.ts'
import { SIGN_IN } from './paths.ts'
import { useSignInTexts } from './texts-sign-in.ts'

const MOST_BREAK_GLASS = 2

export function RequiredSection() {
  const t = useSignInTexts()
  const read = useRead<SignInSettings>(SIGN_IN)
  return (
    <Section title={t('required')} text={t('requiredText')}>
      <Loaded read={read} height={120}>
        {(stored) => <RequiredForm key={JSON.stringify([stored.ssoRequired, stored.breakGlass])} stored={stored} />}
      </Loaded>
    </Section>
  )
}

function RequiredForm({ stored }: { stored: SignInSettings }) {
  const t = useSignInTexts()
  const [ssoRequired, setRequired] = useState(stored.ssoRequired)
  const [breakGlass, setBreakGlass] = useState(stored.breakGlass)
  const members = usePages<Member>('/members', 'members', { limit: 100 })
  const admins = members.items.filter(({ role, invitedUntil }) => role === 'admin' && invitedUntil === undefined)
  const save = useWrite<Partial<SignInSettings>, SignInSettings>((body) => ({ method: 'PUT', path: SIGN_IN, body }), {
    stale: [SIGN_IN],
    done: t('savedRequired'),
    showsError: true,
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({ ssoRequired, breakGlass })
      }}
    >
      <Stack maw={560}>
        <Switch
          label={t('ssoRequired')}
          description={t('ssoRequiredText')}
          checked={ssoRequired}
          onChange={({ currentTarget }) => setRequired(currentTarget.checked)}
        />
        {ssoRequired && (
          <MultiSelect
            label={t('breakGlass')}
            description={t('breakGlassText')}
            value={breakGlass}
            onChange={setBreakGlass}
            data={admins.map(({ userId, name, email }) => ({ value: userId, label: `${name} · ${email}` }))}
            maxValues={MOST_BREAK_GLASS}
          />
        )}
        {save.error && <Failure error={save.error} />}
        <Group>
          <Button type="submit" loading={save.isPending}>
            {t('saveRequired')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
