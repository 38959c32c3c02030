import { ActionIcon, Button, Stack, Switch, Text, Tooltip } from '@mantine/core'
import { IconPhotoPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { ALIGNMENTS, type ButtonText, type ImageText, type MailNode, type NodeText } from '@contentflow/core/mail/document.ts'
import { useFormat } from '../../../../format.ts'
import { NumberField } from '../../../../ui/fields/number-field.tsx'
import { AssetPicker } from '../../../media/asset-picker.tsx'
import { changeNode } from '../document/change-mail.ts'
import { catalogKeyOf, setText, textOf } from '../document/change-texts.ts'
import { useEditing } from '../editing-context.ts'
import { isWritten, wordsOf } from '../kinds.tsx'
import { useTexts } from '../texts.ts'
import { CatalogField } from './catalog-field.tsx'
import { ChoiceField } from './choice-field.tsx'
import { HtmlFields } from './html-fields.tsx'
import { WordInput } from './word-input.tsx'

type NodeOf<T extends MailNode['type']> = Extract<MailNode, { type: T }>

/** What can be set of a node: its look, and its words where they are not written on the canvas. */
export function NodeFields({ node }: { node: MailNode }) {
  const t = useTexts()
  const { locale, variantOf } = useEditing()
  if (variantOf) return <FieldsOfVariant node={node} />
  return (
    <Stack gap="md">
      {isWritten(node) && <WrittenFields node={node} />}
      {node.type === 'heading' && <HeadingFields node={node} />}
      {node.type === 'image' && <ImageFields key={node.id} node={node} />}
      {node.type === 'button' && <ButtonFields node={node} />}
      {node.type === 'spacer' && <SpacerFields node={node} />}
      {node.type === 'html' && <HtmlFields key={`${node.id} ${locale}`} node={node} />}
      {node.type !== 'divider' && node.type !== 'spacer' && node.type !== 'html' && <AlignField node={node} />}
      {(node.type === 'logo' || node.type === 'social') && (
        <Text size="sm" c="dimmed">
          {t('ofBrand')}
        </Text>
      )}
      {node.type === 'divider' && (
        <Text size="sm" c="dimmed">
          {t('hasNoProperties')}
        </Text>
      )}
    </Stack>
  )
}

/** Words alone; how they look is set in the mail. */
function FieldsOfVariant({ node }: { node: MailNode }) {
  const t = useTexts()
  if (isWritten(node)) return <WrittenFields node={node} />
  if (node.type === 'image') return <ImageFields key={node.id} node={node} />
  if (node.type === 'button') return <ButtonFields node={node} />
  return (
    <Text size="sm" c="dimmed">
      {t('nodeOfVariant')}
    </Text>
  )
}

/** A text of the node in the language that is written, its change, and what the source language says. */
function useNodeText<T extends NodeText>(node: MailNode, nothing: T) {
  const { document, change, locale, source } = useEditing()
  const own = textOf(document, locale, node.id) as T | undefined
  const inSource = source === undefined ? undefined : (textOf(document, source, node.id) as T | undefined)
  const set = (part: Partial<T>, member: string) =>
    change(setText(document, locale, node.id, { ...(own ?? nothing), ...part }), `${member} ${locale} ${node.id}`)
  return { text: own ?? nothing, inSource, set }
}

function useNodeChange(node: MailNode) {
  const { document, change } = useEditing()
  return (part: { [member: string]: unknown }, group?: string) => change(changeNode(document, node.id, part), group)
}

function AlignField({ node }: { node: MailNode }) {
  const t = useTexts()
  const set = useNodeChange(node)
  const align = ('align' in node ? node.align : undefined) ?? 'start'
  return (
    <ChoiceField
      label={t('align')}
      values={ALIGNMENTS}
      nameOf={(each) => t(`align_${each}`)}
      value={align}
      onChange={(next) => set({ align: next })}
    />
  )
}

/** Words are written on the canvas; here the source language stands beside them. */
function WrittenFields({ node }: { node: MailNode }) {
  const t = useTexts()
  const format = useFormat()
  const { document, change, locale, source, writing, write } = useEditing()
  const inSource = source === undefined ? undefined : textOf(document, source, node.id)
  const words = wordsOf(inSource)
  const isOfCatalog = catalogKeyOf(document, locale, node.id) !== undefined
  if (writing?.id === node.id && words === '') return null
  return (
    <Stack gap="xs">
      {writing?.id !== node.id && !isOfCatalog && (
        <Button variant="default" size="xs" onClick={() => write({ id: node.id })}>
          {t('write')}
        </Button>
      )}
      {writing?.id !== node.id && <CatalogField key={`${node.id} ${locale}`} node={node} />}
      {source !== undefined && inSource !== undefined && words !== '' && !isOfCatalog && (
        <>
          <Text size="sm" fw={500}>
            {t('inSource', { language: format.language(source) })}
          </Text>
          <Text size="sm" dir="auto" lang={source} className="cf-foreign" style={{ whiteSpace: 'pre-wrap' }}>
            {words}
          </Text>
          {textOf(document, locale, node.id) === undefined && (
            <Button variant="default" size="xs" onClick={() => change(setText(document, locale, node.id, structuredClone(inSource)))}>
              {t('copyText', { language: format.language(source) })}
            </Button>
          )}
        </>
      )}
    </Stack>
  )
}

const LEVELS = ['1', '2', '3'] as const

function HeadingFields({ node }: { node: NodeOf<'heading'> }) {
  const t = useTexts()
  const set = useNodeChange(node)
  return (
    <ChoiceField
      label={t('level')}
      values={LEVELS}
      nameOf={(each) => t(`level_${each}`)}
      value={LEVELS[node.level - 1] ?? '2'}
      onChange={(next) => set({ level: Number(next) })}
    />
  )
}

function ImageFields({ node }: { node: NodeOf<'image'> }) {
  const t = useTexts()
  const { variantOf } = useEditing()
  const { text, inSource, set } = useNodeText<ImageText>(node, { src: '', alt: '' })
  const setNode = useNodeChange(node)
  const [isChoosing, setChoosing] = useState(false)
  return (
    <Stack gap="md">
      <WordInput
        label={t('imageAddress')}
        value={text.src}
        onChange={(src) => set({ src }, 'src')}
        inSource={inSource?.src}
        isAddress
        aside={
          <Tooltip label={t('chooseImage')}>
            <ActionIcon variant="subtle" color="gray" size={28} aria-label={t('chooseImage')} onClick={() => setChoosing(true)}>
              <IconPhotoPlus size={18} stroke={1.6} aria-hidden />
            </ActionIcon>
          </Tooltip>
        }
      />
      <WordInput
        label={t('alt')}
        description={t('altHelp')}
        value={text.alt}
        onChange={(alt) => set({ alt }, 'alt')}
        inSource={inSource?.alt}
      />
      <WordInput
        label={t('imageLink')}
        value={text.url ?? ''}
        onChange={(url) => set({ url: url === '' ? undefined : url }, 'url')}
        inSource={inSource?.url}
        isAddress
      />
      {!variantOf && (
        <NumberField
          label={t('imageWidth')}
          value={node.width ?? 100}
          onChange={(width) => {
            if (isWithin(width, 5, 100)) setNode({ width: width === 100 ? undefined : width }, `width ${node.id}`)
          }}
          min={5}
          max={100}
          isWhole
          isNeeded
          suffix="%"
        />
      )}
      <AssetPicker
        isOpen={isChoosing}
        onClose={() => setChoosing(false)}
        onPick={({ url }) => set({ src: new URL(url, location.origin).href }, 'picked')}
      />
    </Stack>
  )
}

function ButtonFields({ node }: { node: NodeOf<'button'> }) {
  const t = useTexts()
  const { variantOf } = useEditing()
  const { text, inSource, set } = useNodeText<ButtonText>(node, { label: '', url: '' })
  const setNode = useNodeChange(node)
  return (
    <Stack gap="md">
      <WordInput label={t('buttonLabel')} value={text.label} onChange={(label) => set({ label }, 'label')} inSource={inSource?.label} />
      <WordInput
        label={t('buttonLink')}
        description={t('linkHelp')}
        value={text.url}
        onChange={(url) => set({ url }, 'url')}
        inSource={inSource?.url}
        isAddress
      />
      {!variantOf && (
        <Switch
          label={t('isWide')}
          checked={node.isWide ?? false}
          onChange={({ currentTarget }) => setNode({ isWide: currentTarget.checked || undefined })}
        />
      )}
    </Stack>
  )
}

function SpacerFields({ node }: { node: NodeOf<'spacer'> }) {
  const t = useTexts()
  const set = useNodeChange(node)
  return (
    <NumberField
      label={t('height')}
      value={node.height}
      onChange={(height) => {
        if (isWithin(height, 4, 96)) set({ height }, `height ${node.id}`)
      }}
      min={4}
      max={96}
      isWhole
      isNeeded
    />
  )
}

/** What is half typed or out of bounds is not taken; the field says so. */
export function isWithin(value: number | undefined, min: number, max: number): value is number {
  return value !== undefined && Number.isInteger(value) && value >= min && value <= max
}
