import { Checkbox, Fieldset, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { LIMIT_NAMES } from '@contentflow/core/access/allows.ts'
import type { Permission } from '@contentflow/core/access/permissions.ts'
import type { AccessRole, Permissions } from '@contentflow/server/wire.ts'
import { useWrite } from '../../../data.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { namesOf, ROLES, usePermissions } from './api.ts'
import { useAccessTexts } from './texts.ts'

type Draft = { name: string; permissions: string[]; limits: Record<string, string> }
type RoleFormProps = {
  /** Undefined: a new one. */
  role: AccessRole | undefined
  onClose: () => void
}

export function RoleForm({ role, onClose }: RoleFormProps) {
  const t = useAccessTexts()
  const read = usePermissions()
  const [draft, setDraft] = useState<Draft>(() => draftOf(role))
  const [isChecked, setChecked] = useState(false)
  const save = useWrite<object>(
    (body) => (role ? { method: 'PUT', path: `${ROLES}/${role.id}`, body, version: role.version } : { method: 'POST', path: ROLES, body }),
    { stale: [ROLES], done: t('saved'), showsError: true },
  )
  const isNamed = draft.name.trim() !== ''
  const submit = () => {
    setChecked(true)
    if (!isNamed) return
    const limits = Object.fromEntries(
      Object.entries(draft.limits).flatMap(([name, text]) => (text.trim() === '' ? [] : [[name, namesOf(text)]])),
    )
    save.mutate({ name: draft.name.trim(), permissions: draft.permissions, limits }, { onSuccess: onClose })
  }
  return (
    <FormDialog
      title={t(role ? 'editRole' : 'addRole')}
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
        value={draft.name}
        error={isChecked && !isNamed ? t('nameMissing') : undefined}
        onChange={({ currentTarget }) => setDraft({ ...draft, name: currentTarget.value })}
      />
      <Loaded read={read} height={300}>
        {(access) => <Choices access={access} draft={draft} isNew={!role} onChange={setDraft} />}
      </Loaded>
    </FormDialog>
  )
}

function draftOf(role: AccessRole | undefined): Draft {
  const limits = Object.entries(role?.limits ?? {}).map(([name, names]) => [name, names.join(', ')])
  return { name: role?.name ?? '', permissions: role?.permissions ?? [], limits: Object.fromEntries(limits) }
}

/** Texts by the two halves of each permission: one without its texts does not compile. */
type ModuleText = Permission extends infer Name ? (Name extends `${infer Module}:${string}` ? `module_${Module}` : never) : never
type ActionText = Permission extends infer Name ? (Name extends `${string}:${infer Action}` ? `action_${Action}` : never) : never

type ChoicesProps = { access: Permissions; draft: Draft; isNew: boolean; onChange: (draft: Draft) => void }

function Choices({ access, draft, isNew, onChange }: ChoicesProps) {
  const t = useAccessTexts()
  const modules = Map.groupBy(access.permissions, ({ name }) => name.split(':')[0] ?? '')
  const yours = new Set<string>(access.yours.permissions)
  return (
    <Stack gap="md">
      {isNew && (
        <Select
          label={t('startFrom')}
          data={[
            { value: '', label: t('preset_none') },
            ...access.presets.map(({ id }) => ({ value: id, label: t(`preset_${id}` as 'preset_none') })),
          ]}
          defaultValue=""
          allowDeselect={false}
          onChange={(id) => onChange({ ...draft, permissions: access.presets.find((preset) => preset.id === id)?.permissions ?? [] })}
        />
      )}
      <Checkbox.Group label={t('permissions')} value={draft.permissions} onChange={(permissions) => onChange({ ...draft, permissions })}>
        <Stack gap="xs" mt="xs">
          {[...modules].map(([module, permissions]) => (
            <Stack key={module} gap={4}>
              <Text size="sm" fw={600}>
                {t(`module_${module}` as ModuleText)}
              </Text>
              <Group gap="md">
                {permissions.map(({ name }) => (
                  <Checkbox
                    key={name}
                    value={name}
                    disabled={!yours.has(name)}
                    label={t(`action_${name.split(':')[1]}` as ActionText)}
                    aria-label={`${t(`module_${module}` as ModuleText)}: ${t(`action_${name.split(':')[1]}` as ActionText)}`}
                  />
                ))}
              </Group>
            </Stack>
          ))}
        </Stack>
      </Checkbox.Group>
      <Fieldset legend={t('limits')}>
        <Stack gap="xs">
          <Text size="sm" c="dimmed">
            {t('limitsText')}
          </Text>
          {LIMIT_NAMES.map((name) => (
            <TextInput
              key={name}
              label={t(`limit_${name}`)}
              dir="auto"
              value={draft.limits[name] ?? ''}
              onChange={({ currentTarget }) => onChange({ ...draft, limits: { ...draft.limits, [name]: currentTarget.value } })}
            />
          ))}
        </Stack>
      </Fieldset>
    </Stack>
  )
}
