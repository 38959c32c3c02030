import { Badge, Button, Group, Stack, Table, Text } from '@mantine/core'
import { IconRobot } from '@tabler/icons-react'
import { useState } from 'react'
import type { ServiceAccount } from '@contentflow/server/wire.ts'
import { useWrite } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { EditedList } from '../edited-list.tsx'
import { ENDING, SERVICES, useEnding, useRoles, useServices } from './api.ts'
import { ServiceForm } from './service-form.tsx'
import { useAccessTexts } from './texts.ts'
import { TokensDialog } from './tokens-dialog.tsx'

/** Programs that act in the workspace. */
export function ServicesSection() {
  const t = useAccessTexts()
  const read = useServices()
  const [opened, setOpened] = useState<ServiceAccount>()
  return (
    <EditedList
      texts={{
        title: t('services'),
        text: t('servicesText'),
        add: t('addService'),
        emptyTitle: t('noServices'),
        emptyText: t('noServicesText'),
      }}
      icon={IconRobot}
      read={{ ...read, data: read.data?.serviceAccounts }}
      renderTable={(services, onEdit) => <ServiceTable services={services} onEdit={onEdit} onTokens={setOpened} />}
      renderForm={(service, onClose) => <ServiceForm service={service} onClose={onClose} />}
    >
      {opened && <TokensDialog service={opened} onClose={() => setOpened(undefined)} />}
    </EditedList>
  )
}

type ServiceTableProps = {
  services: readonly ServiceAccount[]
  onEdit: ((service: ServiceAccount) => void) | undefined
  onTokens: (service: ServiceAccount) => void
}

function ServiceTable({ services, onEdit, onTokens }: ServiceTableProps) {
  const t = useAccessTexts()
  const roles = useRoles().data?.roles ?? []
  const ending = useEnding()
  /** Of its tokens, the one that ends first. */
  const endOf = ({ id }: ServiceAccount) => ending.find(({ serviceAccountId }) => serviceAccountId === id)?.endsAt
  const [leaving, setLeaving] = useState<ServiceAccount>()
  const remove = useWrite<string>((id) => ({ method: 'DELETE', path: `${SERVICES}/${id}` }), {
    stale: [SERVICES, ENDING],
    done: t('removed'),
    showsError: true,
  })
  const roleOf = ({ role, roleId }: ServiceAccount) => roles.find(({ id }) => id === roleId)?.name ?? t(`role_${role}`)
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('name')}</Table.Th>
            <Table.Th visibleFrom="sm">{t('owner')}</Table.Th>
            <Table.Th>
              <span className="cf-visually-hidden">{t('edit')}</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {services.map((service) => (
            <Table.Tr key={service.id}>
              <Table.Td>
                <Stack gap={0}>
                  <Text size="sm" fw={600} dir="auto">
                    {service.name}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {roleOf(service)}
                  </Text>
                  <EndsSoon endsAt={endOf(service)} />
                </Stack>
              </Table.Td>
              <Table.Td visibleFrom="sm">{service.ownerName ?? t('noOwner')}</Table.Td>
              <Table.Td>
                <Group gap="xs" justify="flex-end">
                  <Button size="xs" variant="default" aria-label={`${t('tokens')}: ${service.name}`} onClick={() => onTokens(service)}>
                    {t('tokens')}
                  </Button>
                  {onEdit && (
                    <>
                      <Button size="xs" variant="default" aria-label={`${t('edit')}: ${service.name}`} onClick={() => onEdit(service)}>
                        {t('edit')}
                      </Button>
                      <Button
                        size="xs"
                        variant="default"
                        aria-label={`${t('remove')}: ${service.name}`}
                        onClick={() => setLeaving(service)}
                      >
                        {t('remove')}
                      </Button>
                    </>
                  )}
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Confirm
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={t('removeServiceTitle', { name: leaving?.name ?? '' })}
        action={t('remove')}
        isBusy={remove.isPending}
        isDangerous
        onConfirm={() => leaving && remove.mutate(leaving.id, { onSuccess: () => setLeaving(undefined) })}
      >
        <Stack gap="xs">
          {t('removeServiceText')}
          {remove.error && <Failure error={remove.error} />}
        </Stack>
      </Confirm>
    </Table.ScrollContainer>
  )
}

function EndsSoon({ endsAt }: { endsAt: string | undefined }) {
  const t = useAccessTexts()
  const format = useFormat()
  if (endsAt === undefined) return null
  return (
    <Badge color="orange" variant="light" tt="none" fw={600} radius="sm" mt={4}>
      {t('tokenEnds', { when: format.ago(endsAt) })}
    </Badge>
  )
}
