import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Member, ServiceAccount } from '@contentflow/server/wire.ts'
import { usePages, useWrite } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { ROLES as DOCUMENTED } from '../api.ts'
import { SERVICES, useRoles } from './api.ts'
import { useAccessTexts } from './texts.ts'

type ServiceFormProps = {
  /** Undefined: a new one. */
  service: ServiceAccount | undefined
  onClose: () => void
}

/** `role`: a documented one, or the id of an own one. */
export function ServiceForm({ service, onClose }: ServiceFormProps) {
  const t = useAccessTexts()
  const { me } = useSession()
  const roles = useRoles().data?.roles ?? []
  const members = usePages<Member>('/members', 'members', { limit: 200 }).items.filter(({ invitedUntil }) => invitedUntil === undefined)
  const [name, setName] = useState(service?.name ?? '')
  const [role, setRole] = useState<string>(service?.roleId ?? service?.role ?? 'viewer')
  const [ownerId, setOwner] = useState(service?.ownerId ?? me.user.userId)
  const [isChecked, setChecked] = useState(false)
  const save = useWrite<object>(
    (body) => (service ? { method: 'PUT', path: `${SERVICES}/${service.id}`, body } : { method: 'POST', path: SERVICES, body }),
    { stale: [SERVICES], done: t('serviceSaved'), showsError: true },
  )
  const isNamed = name.trim() !== ''
  const submit = () => {
    setChecked(true)
    if (!isNamed) return
    const isDocumented = DOCUMENTED.some((each) => each === role)
    save.mutate({ name: name.trim(), ownerId, ...(isDocumented ? { role } : { roleId: role }) }, { onSuccess: onClose })
  }
  return (
    <FormDialog
      title={t(service ? 'edit' : 'addService')}
      action={t('save')}
      isBusy={save.isPending}
      error={save.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label={t('name')}
        required
        maxLength={100}
        data-autofocus
        value={name}
        error={isChecked && !isNamed ? t('nameMissing') : undefined}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Select
        label={t('role')}
        data={[
          ...DOCUMENTED.map((each) => ({ value: each, label: t(`role_${each}`) })),
          ...roles.map(({ id, name: label }) => ({ value: id, label })),
        ]}
        value={role}
        onChange={(value) => setRole(value ?? role)}
        allowDeselect={false}
      />
      <Select
        label={t('owner')}
        data={members.map(({ userId, name: label }) => ({ value: userId, label }))}
        value={ownerId}
        onChange={(value) => setOwner(value ?? ownerId)}
        allowDeselect={false}
      />
    </FormDialog>
  )
}
