import { Group, Select, Stack } from '@mantine/core'
import { useState } from 'react'
import { messageBlock } from '@contentflow/core/campaigns/render-item.ts'
import { Design, DESIGN_TYPES, type DesignType } from '@contentflow/sdk/react'
import designStyles from '@contentflow/sdk/react/styles.css?inline'
import { PreviewFrame } from '../../content/editor/preview/preview-frame.tsx'
import { ShadowBox } from '../../content/editor/preview/shadow-box.tsx'
import { ThemeChoice, type Theme } from './choice.tsx'
import type { PreviewContent } from './shown.ts'
import { useTexts } from './texts.ts'

/** Apps bring their own font; here it is the dashboard's, which has both scripts. */
const STYLES = `${designStyles}\n[data-cf-theme] { --cf-font: 'Inter Variable', 'Noto Sans Arabic Variable', system-ui, sans-serif }`

/** The message in the app, drawn by the app's own component. */
export function InAppPreview({ content, locale, dir }: PreviewContent) {
  const t = useTexts()
  const [design, setDesign] = useState<DesignType>('popup')
  const [theme, setTheme] = useState<Theme>('light')
  const block = messageBlock(content)
  if (!block) return null
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Select
          aria-label={t('design')}
          size="xs"
          data={DESIGN_TYPES.map((each) => ({ value: each, label: t(`design_${each}`) }))}
          value={design}
          onChange={(next) => setDesign(DESIGN_TYPES.find((each) => each === next) ?? design)}
          allowDeselect={false}
          w={160}
        />
        <ThemeChoice value={theme} onChange={setTheme} />
      </Group>
      <PreviewFrame width="phone" design={design} theme={theme} dir={dir} label={t('preview')}>
        <ShadowBox styles={STYLES}>
          <div data-cf-theme={theme}>
            <Design
              block={{ key: 'in_app', instanceId: 'preview', designType: design, ...block }}
              locale={locale}
              dir={dir}
              inline
              onClick={(_link, _block, event) => event.preventDefault()}
            />
          </div>
        </ShadowBox>
      </PreviewFrame>
    </Stack>
  )
}
