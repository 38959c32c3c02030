import { Alert, Button, Checkbox, Group, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconUserCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { ApiError } from '../../../api.ts'
import { useWrite } from '../../../data.ts'
import type { Role } from '../../../session.tsx'
import { CopyField } from '../../../ui/fields/copy-field.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { ROLES, type AddedMember } from '../api.ts'
import { PassedOn } from './passed-on.tsx'
import { randomPassword } from './password.ts'
import classes from '../settings.module.css'
import { Dialog } from '../../../ui/dialog.tsx'
import { useMembersTexts } from './texts-members.ts'

type Entry = { email: string; name: string; role: Role; canApprove: boolean }

/** Adds a member with a password made here, which is shown once because nothing is sent by mail. */
export function AddMember({ onClose }: { onClose: () => void }) {
  const t = useMembersTexts()
  const [password] = useState(randomPassword)
  const [added, setAdded] = useState<AddedMember>()
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t(added ? 'addedTitle' : 'add')}
      // The password is shown this once.
      closeOnClickOutside={false}
      closeOnEscape={!added}
      withCloseButton={!added}
    >
      {added?.invitation ? (
        <Invited link={`${window.location.origin}/join#${added.invitation.token}`} email={added.email} onClose={onClose} />
      ) : added ? (
        <Added member={added} password={password} onClose={onClose} />
      ) : (
        <Entry password={password} onAdded={setAdded} onClose={onClose} />
      )}
    </Dialog>
  )
}

function Entry({ password, onAdded, onClose }: { password: string; onAdded: (member: AddedMember) => void; onClose: () => void }) {
  const t = useMembersTexts()
  const form = useForm<Entry>({
    initialValues: { email: '', name: '', role: 'editor', canApprove: false },
    validate: { email: (text) => (/^[^\s@]+@[^\s@]+$/.test(text.trim()) ? null : t('emailWrong')) },
  })
  const add = useWrite<Entry, AddedMember>(
    ({ email, name, ...rest }) => ({
      method: 'POST',
      path: '/members',
      body: { email: email.trim(), name: name.trim(), password, ...rest },
    }),
    { stale: ['/members'], showsError: true },
  )
  const isMember = add.error instanceof ApiError && add.error.status === 409
  return (
    <form onSubmit={form.onSubmit((entry) => add.mutate(entry, { onSuccess: onAdded }))} noValidate>
      <Stack>
        <TextInput label={t('name')} required maxLength={150} data-autofocus {...form.getInputProps('name')} />
        <TextInput label={t('email')} type="email" required maxLength={254} dir="ltr" {...form.getInputProps('email')} />
        <Radio.Group label={t('role')} {...form.getInputProps('role')}>
          <Stack gap="xs" mt={6}>
            {ROLES.map((role) => (
              <Radio key={role} value={role} label={t(`role_${role}`)} description={t(`role_${role}_text`)} />
            ))}
          </Stack>
        </Radio.Group>
        {form.values.role !== 'admin' && (
          <Checkbox label={t('approval')} description={t('approvalText')} {...form.getInputProps('canApprove', { type: 'checkbox' })} />
        )}
        <Text size="sm" c="dimmed">
          {t('passwordNext')}
        </Text>
        {add.error && <Failure error={isMember ? new Error(t('memberAlready')) : add.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={add.isPending} disabled={form.values.name.trim() === '' || form.values.email.trim() === ''}>
            {t('add')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function Invited({ link, email, onClose }: { link: string; email: string; onClose: () => void }) {
  const t = useMembersTexts()
  return (
    <PassedOn onClose={onClose}>
      <Alert color="teal" variant="light" icon={<IconUserCheck aria-hidden />} title={t('invited')}>
        <bdi>{email}</bdi>: {t('invitedText')}
      </Alert>
      <div className={classes.secret}>
        <Text size="sm" c="dimmed">
          {t('link')}
        </Text>
        <CopyField value={link} label={t('link')} />
      </div>
    </PassedOn>
  )
}

function Added({ member, password, onClose }: { member: AddedMember; password: string; onClose: () => void }) {
  const t = useMembersTexts()
  return (
    <PassedOn onClose={onClose}>
      <Alert color="teal" variant="light" icon={<IconUserCheck aria-hidden />} title={t('added', { name: member.name })}>
        {t('addedText')}
      </Alert>
      <Stack gap="xs" className={classes.secret}>
        <div>
          <Text size="sm" c="dimmed">
            {t('email')}
          </Text>
          <CopyField value={member.email} label={t('email')} />
        </div>
        <div>
          <Text size="sm" c="dimmed">
            {t('password')}
          </Text>
          <CopyField value={password} label={t('password')} />
        </div>
      </Stack>
    </PassedOn>
  )
}
