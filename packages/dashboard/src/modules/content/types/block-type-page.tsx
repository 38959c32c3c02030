import { ActionIcon, Alert, Anchor, Button, Group, Menu, Skeleton, Stack, Table, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconArchive, IconDots, IconInfoCircle, IconPencil, IconPlus, IconSquareOff } from '@tabler/icons-react'
import { Link, useNavigate, useParams } from 'react-router'
import { isFieldType, type Field, type Json } from '@contentflow/core/blocks/field.ts'
import { ApiError } from '../../../api.ts'
import { useRead, useWrite } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { useLanguage } from '../../../i18n.ts'
import { useSession } from '../../../session.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { CopyField } from '../../../ui/fields/copy-field.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Moment } from '../../../ui/moments/moment.tsx'
import { Page } from '../../../ui/page.tsx'
import { Section } from '../../../ui/section.tsx'
import { useUrlState } from '../../../ui/url-state.ts'
import { ARCHIVED, NEW_TYPE, typePath, typesPath, type BlockType } from '../api.ts'
import { DesignPicture } from '../design-picture.tsx'
import { optionText } from './fields-form.ts'
import { InstanceTable } from '../instance-table.tsx'
import { NewInstance } from '../new-instance.tsx'
import { useBlockNames } from '../../../ui/use-block-names.ts'
import { Wide } from '../../../ui/wide.tsx'
import { useTypeTexts } from './type-texts.ts'

/** One block type: what its fields ask for, and its instances. */
export function BlockTypePage() {
  const t = useTypeTexts()
  const { workspace, mayEdit } = useSession()
  const { blockKey = '' } = useParams()
  const { data: type, error, refetch } = useRead<BlockType>(`/blocks/${blockKey}`)
  const archive = useArchive(blockKey, type?.name ?? blockKey)
  const [making, setMaking] = useUrlState('new')
  const path = [
    { label: t('content'), to: `/w/${workspace.id}/content` },
    { label: t('types'), to: typesPath(workspace.id) },
  ]
  // After archiving, the page leads to another one.
  if (error instanceof ApiError && error.status === 404 && !archive.isPending) return <NoSuchType />
  if (error && !type) return <Failure error={error} onRetry={() => void refetch()} />
  // While another type loads, the one before is still in `data`.
  if (type?.key !== blockKey)
    return (
      <Page title={blockKey} path={path}>
        <Skeleton height={320} />
      </Page>
    )
  return (
    <Page
      title={type.name}
      path={path}
      beside={<DesignPicture design={type.designType} size={22} />}
      subtitle={<Facts type={type} />}
      actions={
        mayEdit && (
          <>
            <TypeMenu name={type.name} archive={archive} />
            <Button
              variant="default"
              component={Link}
              to={`${typePath(workspace.id, blockKey)}/edit`}
              leftSection={<IconPencil size={16} aria-hidden />}
            >
              {t('edit')}
            </Button>
            <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setMaking('instance')}>
              {t('newInstance')}
            </Button>
          </>
        )
      }
    >
      <Section title={t('fields')}>
        {type.fields.length === 0 ? <Text c="dimmed">{t('noFields')}</Text> : <FieldTable fields={type.fields} />}
        <Alert variant="light" color="gray" icon={<IconInfoCircle aria-hidden />}>
          {t('pipelineNote')}
        </Alert>
      </Section>
      <Section title={t('instances')}>
        <InstanceTable ofType={blockKey} />
      </Section>
      {mayEdit && <NewInstance opened={making !== ''} blockKey={blockKey} onClose={() => setMaking('')} />}
    </Page>
  )
}

function Facts({ type }: { type: BlockType }) {
  const t = useTypeTexts()
  return (
    <Group gap="lg" style={{ rowGap: 4 }}>
      <Group gap={6}>
        {t('key')}: <CopyField value={type.key} label={t('key')} />
      </Group>
      <span>
        {t('screen')}: {type.screen || t('noScreen')}
      </span>
      <span>
        {t('design')}: {t(type.designType ? `design_${type.designType}` : 'noDesign')}
      </span>
      <span>
        {t('inCampaigns')}: {t(type.inCampaigns ? 'yes' : 'no')}
      </span>
      <span>
        {t('changed')}: <Moment at={type.updatedAt} />
      </span>
    </Group>
  )
}

function FieldTable({ fields }: { fields: Field[] }) {
  const t = useTypeTexts()
  return (
    <Wide label={t('fields')}>
      <Table miw={560}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('colField')}</Table.Th>
            <Table.Th>{t('colTag')}</Table.Th>
            <Table.Th>{t('colKind')}</Table.Th>
            <Table.Th>{t('colRules')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {fields.map((field) => (
            <Table.Tr key={field.id}>
              <Table.Td fw={500}>{field.label || field.tag}</Table.Td>
              <Table.Td>
                <span className="cf-code">{field.tag}</span>
              </Table.Td>
              <Table.Td>{isFieldType(field.type) ? t(`kind_${field.type}`) : t('kindUnknown', { type: field.type })}</Table.Td>
              <Table.Td>
                <Rules field={field} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Wide>
  )
}

/** The rules for a value of the field, in words. */
function Rules({ field }: { field: Field }) {
  const t = useTypeTexts()
  const format = useFormat()
  const comma = useLanguage() === 'ar' ? '، ' : ', '
  const { workspace } = useSession()
  const names = useBlockNames()
  const { required, maxLength, options, allowedBlockKeys, minItems, maxItems } = field
  const defaultText = (value: Json) => (typeof value === 'boolean' ? t(value ? 'yes' : 'no') : optionText(value))
  const counted = (count: number) => ({ count, formatted: format.number(count) })
  const rules = [
    ...(required ? [t('rule_required')] : []),
    ...(maxLength === undefined ? [] : [t('rule_maxLength', counted(maxLength))]),
    ...(options?.length ? [t('rule_options', { list: options.map(optionText).join(comma) })] : []),
    ...(minItems ? [t('rule_minItems', counted(minItems))] : []),
    ...(maxItems === undefined ? [] : [t('rule_maxItems', counted(maxItems))]),
    ...(field.default === undefined ? [] : [t('rule_default', { value: defaultText(field.default) })]),
  ]
  return (
    <Text span size="sm">
      {rules.join(' · ')}
      {allowedBlockKeys && (
        <>
          {rules.length > 0 && ' · '}
          {allowedBlockKeys.map((key, index) => (
            <span key={key}>
              {index > 0 && comma}
              <Anchor component={Link} to={typePath(workspace.id, key)} size="sm">
                <bdi>{names.get(key) ?? key}</bdi>
              </Anchor>
            </span>
          ))}
        </>
      )}
      {rules.length === 0 && !allowedBlockKeys && <span style={{ color: 'var(--mantine-color-dimmed)' }}>{t('noRules')}</span>}
    </Text>
  )
}

function useArchive(key: string, name: string) {
  const t = useTypeTexts()
  return useWrite<void>(() => ({ path: `/blocks/${key}`, method: 'DELETE' }), {
    stale: ['/blocks', '/instances', '/content'],
    done: t('archived', { name }),
    showsError: true,
  })
}

function TypeMenu({ name, archive }: { name: string; archive: ReturnType<typeof useArchive> }) {
  const t = useTypeTexts()
  const { workspace } = useSession()
  const navigate = useNavigate()
  const [isAsking, { open, close }] = useDisclosure()
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t('more')}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item color="red" leftSection={<IconArchive size={16} aria-hidden />} onClick={open}>
            {t('archive')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Confirm
        isOpen={isAsking}
        onClose={close}
        title={t('archiveTitle', { name })}
        action={t('archive')}
        isDangerous
        isBusy={archive.isPending}
        onConfirm={() => archive.mutate(undefined, { onSuccess: () => void navigate(typesPath(workspace.id, ARCHIVED)) })}
      >
        <Stack gap="sm">
          {t('archiveText')}
          {archive.error && <Failure error={archive.error} />}
        </Stack>
      </Confirm>
    </>
  )
}

export function NoSuchType() {
  const t = useTypeTexts()
  const { workspace } = useSession()
  const { blockKey = NEW_TYPE } = useParams()
  return (
    <Page title={blockKey} path={[{ label: t('content'), to: `/w/${workspace.id}/content` }]}>
      <EmptyState icon={IconSquareOff} title={t('notFoundTitle')} text={t('notFoundText')}>
        <Group gap="xs" justify="center">
          <Button component={Link} to={`/w/${workspace.id}/content`}>
            {t('toContent')}
          </Button>
          <Button variant="default" component={Link} to={typesPath(workspace.id, ARCHIVED)}>
            {t('toArchived')}
          </Button>
        </Group>
      </EmptyState>
    </Page>
  )
}
