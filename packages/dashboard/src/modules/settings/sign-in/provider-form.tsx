import { Button, Group, NativeSelect, PasswordInput, Stack, Switch, TagsInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { IdentityProvider } from '@contentflow/server/wire.ts'
import { useWrite } from '../../../data.ts'
import type { Role } from '../../../session.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { ROLES } from '../api.ts'
import { MappingEditor, type Row } from './mapping-editor.tsx'
import { idFor, PROVIDERS } from './paths.ts'
import { useSignInTexts } from './texts-sign-in.ts'

type ProviderFormProps = { provider: IdentityProvider | undefined; taken: readonly string[]; onClose: () => void }
type Entry = {
  name: string
  issuer: string
  clientId: string
  clientSecret: string
  scopes: string
  groupsClaim: string
  defaultRole: Role | null
  domains: string[]
  rows: Row[]
  isOn: boolean
}

function entryOf(provider: IdentityProvider | undefined): Entry {
  if (!provider) {
    // Off until it was tried.
    const nothing = { name: '', issuer: '', clientId: '', clientSecret: '', scopes: 'openid email profile', groupsClaim: 'groups' }
    return { ...nothing, defaultRole: null, domains: [], rows: [], isOn: false }
  }
  const { name, issuer, clientId, scopes, groupsClaim, defaultRole, domains, mapping, isOn } = provider
  const rows = mapping.map(({ group, role, roleId, canApprove }, key) => ({ key, group, role, roleId, canApprove }))
  return {
    name,
    issuer,
    clientId,
    clientSecret: '',
    scopes: scopes.join(' '),
    groupsClaim,
    defaultRole,
    domains: domains.map(({ domain }) => domain),
    rows,
    isOn,
  }
}

function bodyOf({ rows, clientSecret, scopes, ...entry }: Entry) {
  const mapping = rows
    .filter(({ group }) => group.trim() !== '')
    .map(({ group, role, roleId, canApprove }) => ({ group: group.trim(), ...(roleId === undefined ? { role } : { roleId }), canApprove }))
  return {
    ...entry,
    name: entry.name.trim(),
    issuer: entry.issuer.trim(),
    scopes: scopes.split(/\s+/).filter((scope) => scope !== ''),
    ...(clientSecret !== '' && { clientSecret }),
    mapping,
  }
}

export function ProviderForm({ provider, taken, onClose }: ProviderFormProps) {
  const t = useSignInTexts()
  const [entry, setEntry] = useState(() => entryOf(provider))
  const [isChecked, setChecked] = useState(false)
  const set = (change: Partial<Entry>) => setEntry((before) => ({ ...before, ...change }))
  const text = (name: 'name' | 'issuer' | 'clientId' | 'clientSecret' | 'scopes' | 'groupsClaim') => ({
    value: entry[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => set({ [name]: currentTarget.value }),
  })
  const missing = (name: 'name' | 'issuer' | 'clientId') => (isChecked && entry[name].trim() === '' ? t('needed') : undefined)
  const save = useWrite<Entry, IdentityProvider>(
    (wanted) => ({ method: 'PUT', path: `${PROVIDERS}/${provider?.id ?? idFor(wanted.name, taken)}`, body: bodyOf(wanted) }),
    { stale: [PROVIDERS], done: t('saved'), showsError: true },
  )
  const submit = () => {
    setChecked(true)
    if ([entry.name, entry.issuer, entry.clientId].some((each) => each.trim() === '')) return
    save.mutate(entry, { onSuccess: onClose })
  }
  return (
    <Dialog opened onClose={onClose} title={t(provider ? 'editTitle' : 'addTitle')} size="lg" closeOnClickOutside={false}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack>
          <TextInput
            label={t('name')}
            description={t('nameText')}
            withAsterisk
            maxLength={100}
            error={missing('name')}
            data-autofocus
            {...text('name')}
          />
          <TextInput
            label={t('issuer')}
            description={t('issuerText')}
            withAsterisk
            maxLength={500}
            dir="ltr"
            inputMode="url"
            autoComplete="off"
            placeholder="https://login.example.com/realms/staff"
            error={missing('issuer')}
            {...text('issuer')}
          />
          <TextInput
            label={t('clientId')}
            withAsterisk
            maxLength={300}
            dir="ltr"
            autoComplete="off"
            error={missing('clientId')}
            {...text('clientId')}
          />
          <PasswordInput
            label={t('clientSecret')}
            description={provider?.hasSecret ? t('secretKept') : undefined}
            maxLength={2_000}
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-hidden': true, tabIndex: -1 }}
            {...text('clientSecret')}
          />
          <TagsInput
            label={t('domains')}
            description={t('domainsText')}
            value={entry.domains}
            onChange={(domains) => set({ domains })}
            maxTags={LIMITS.signInDomains}
            dir="ltr"
          />
          <TextInput label={t('scopes')} description={t('scopesText')} maxLength={500} dir="ltr" autoComplete="off" {...text('scopes')} />
          <TextInput
            label={t('groupsClaim')}
            description={t('groupsClaimText')}
            maxLength={200}
            dir="ltr"
            autoComplete="off"
            {...text('groupsClaim')}
          />
          <MappingEditor rows={entry.rows} onChange={(rows) => set({ rows })} defaultRole={entry.defaultRole} />
          <NativeSelect
            label={t('defaultRole')}
            value={entry.defaultRole ?? ''}
            onChange={({ currentTarget }) => set({ defaultRole: ROLES.find((id) => id === currentTarget.value) ?? null })}
            data={[{ value: '', label: t('noDefault') }, ...ROLES.map((id) => ({ value: id, label: t(`role_${id}`) }))]}
          />
          <Switch label={t('isOn')} checked={entry.isOn} onChange={({ currentTarget }) => set({ isOn: currentTarget.checked })} />
          {save.error && <Failure error={save.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {t('save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
