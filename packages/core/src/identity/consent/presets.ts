/**
 * Consent presets (G-24): what an app of one trade in one country usually asks for. A starting point for a talk
 * with counsel, not legal advice; the answer says so too.
 */
import type { Channel } from './consent.ts'

export type Text = { en: string; ar: string }
type RequiredConsent = { id: string; required: boolean; label: Text }
type Topic = { id: string; label: Text; channels: Channel[] }
export type Preset = {
  preset: string
  requiredConsents: RequiredConsent[]
  topics: Topic[]
  legalFramework: { name: string; country: string; version: string }
  notice: Text
}

const NOTICE: Text = {
  en: 'A starting point, not legal advice: have the texts checked before you use them.',
  ar: 'نقطة انطلاق وليست استشارة قانونية: اطلب مراجعة النصوص قبل استخدامها.',
}

const PDPL = { name: 'Personal Data Protection Law', country: 'SA', version: 'M/19 1443, amended M/148 1444' }
const GDPR = { name: 'General Data Protection Regulation', country: 'EU', version: '2016/679' }

const consent = (id: string, required: boolean, en: string, ar: string): RequiredConsent => ({ id, required, label: { en, ar } })
const topic = (id: string, channels: Channel[], en: string, ar: string): Topic => ({ id, label: { en, ar }, channels })

const PROCESSING = consent(
  'data_processing',
  true,
  'I agree that my personal data is processed to provide the service I asked for.',
  'أوافق على معالجة بياناتي الشخصية لتقديم الخدمة التي طلبتها.',
)
const TRANSFER = consent(
  'cross_border_transfer',
  false,
  'I agree that my data may be processed outside the Kingdom under the safeguards of the law.',
  'أوافق على معالجة بياناتي خارج المملكة وفق الضمانات المقررة نظامًا.',
)
const MARKETING = consent(
  'direct_marketing',
  false,
  'I agree to receive offers and news; I can withdraw at any time.',
  'أوافق على تلقي العروض والأخبار ويمكنني سحب موافقتي في أي وقت.',
)
const ANALYTICS = consent(
  'usage_analytics',
  false,
  'I agree that my use of the app is measured to improve it.',
  'أوافق على قياس استخدامي للتطبيق بهدف تحسينه.',
)
const LOCATION = consent(
  'location_use',
  false,
  'I agree that my location is used to show what is near me.',
  'أوافق على استخدام موقعي لعرض ما هو قريب مني.',
)

const ALL_OUT: Channel[] = ['push', 'sms', 'whatsapp', 'email']
const OFFERS = topic('offers', [...ALL_OUT, 'inApp'], 'Offers and discounts', 'العروض والخصومات')
const NEWS = topic('news', ['push', 'email', 'inApp'], 'News and new features', 'الأخبار والميزات الجديدة')
const SERVICE = topic('service_updates', [...ALL_OUT, 'inApp'], 'Updates about my service', 'مستجدات خدمتي')

const preset = (
  name: string,
  legalFramework: Preset['legalFramework'],
  requiredConsents: RequiredConsent[],
  topics: Topic[],
): [string, Preset] => [name, { preset: name, requiredConsents, topics, legalFramework, notice: NOTICE }]

/** The presets by name. */
export const PRESETS: ReadonlyMap<string, Preset> = new Map([
  preset(
    'banking_ksa',
    PDPL,
    [
      PROCESSING,
      consent(
        'credit_bureau',
        true,
        'I agree that my credit record is requested and shared with the licensed credit bureau.',
        'أوافق على طلب سجلي الائتماني ومشاركته مع شركة المعلومات الائتمانية المرخصة.',
      ),
      consent(
        'open_banking',
        false,
        'I agree that my account data is shared with providers I choose.',
        'أوافق على مشاركة بيانات حسابي مع مقدمي الخدمات الذين أختارهم.',
      ),
      TRANSFER,
      MARKETING,
      ANALYTICS,
    ],
    [
      topic('account_alerts', ['push', 'sms', 'email'], 'Account and card alerts', 'تنبيهات الحساب والبطاقة'),
      topic('security', ['push', 'sms', 'email'], 'Security notices', 'إشعارات الأمان'),
      topic('financing_offers', [...ALL_OUT, 'inApp'], 'Financing and card offers', 'عروض التمويل والبطاقات'),
      NEWS,
    ],
  ),
  preset(
    'insurance_ksa',
    PDPL,
    [
      PROCESSING,
      consent(
        'health_data',
        true,
        'I agree that my health data is processed to price my policy and settle my claims.',
        'أوافق على معالجة بياناتي الصحية لتسعير وثيقتي وتسوية مطالباتي.',
      ),
      consent(
        'claims_sharing',
        true,
        'I agree that claim data is shared with hospitals, workshops and reinsurers.',
        'أوافق على مشاركة بيانات المطالبات مع المستشفيات والورش ومعيدي التأمين.',
      ),
      TRANSFER,
      MARKETING,
      ANALYTICS,
    ],
    [
      topic('policy_reminders', ALL_OUT, 'Policy and renewal reminders', 'تذكيرات الوثيقة والتجديد'),
      topic('claim_updates', ALL_OUT, 'Updates on my claims', 'مستجدات مطالباتي'),
      OFFERS,
    ],
  ),
  preset(
    'healthcare_ksa',
    PDPL,
    [
      PROCESSING,
      consent('health_data', true, 'I agree that my health data is processed for my care.', 'أوافق على معالجة بياناتي الصحية لغرض رعايتي.'),
      consent(
        'record_sharing',
        false,
        'I agree that my medical record is shared with the providers who treat me.',
        'أوافق على مشاركة سجلي الطبي مع مقدمي الرعاية المعالجين لي.',
      ),
      TRANSFER,
      ANALYTICS,
    ],
    [
      topic('appointments', ALL_OUT, 'Appointment reminders', 'تذكيرات المواعيد'),
      topic('results', ['push', 'sms', 'inApp'], 'Test results are ready', 'جاهزية نتائج الفحوصات'),
      topic('health_tips', ['push', 'email', 'inApp'], 'Health advice', 'نصائح صحية'),
    ],
  ),
  preset(
    'retail_ksa',
    PDPL,
    [PROCESSING, TRANSFER, MARKETING, ANALYTICS, LOCATION],
    [
      OFFERS,
      topic('order_updates', [...ALL_OUT, 'inApp'], 'Order and delivery updates', 'مستجدات الطلب والتوصيل'),
      topic('back_in_stock', ['push', 'email', 'inApp'], 'Back in stock', 'عودة المنتج إلى المخزون'),
      topic('loyalty', ['push', 'email', 'inApp'], 'Points and rewards', 'النقاط والمكافآت'),
    ],
  ),
  preset(
    'travel_ksa',
    PDPL,
    [
      PROCESSING,
      consent(
        'passenger_data',
        true,
        'I agree that my travel document data is passed to carriers and authorities as the law requires.',
        'أوافق على تزويد الناقلين والجهات المختصة ببيانات وثيقة سفري وفق الأنظمة.',
      ),
      TRANSFER,
      MARKETING,
      ANALYTICS,
      LOCATION,
    ],
    [
      topic('trip_updates', [...ALL_OUT, 'inApp'], 'Changes to my trip', 'تغييرات رحلتي'),
      topic('check_in', ['push', 'sms', 'email'], 'Check-in reminders', 'تذكيرات إنهاء إجراءات السفر'),
      OFFERS,
    ],
  ),
  preset('general_ksa', PDPL, [PROCESSING, TRANSFER, MARKETING, ANALYTICS, LOCATION], [SERVICE, OFFERS, NEWS]),
  preset(
    'general_eu',
    GDPR,
    [
      PROCESSING,
      consent(
        'profiling',
        false,
        'I agree that content is chosen for me by what I do in the app.',
        'أوافق على اختيار المحتوى المناسب لي بناءً على استخدامي للتطبيق.',
      ),
      MARKETING,
      ANALYTICS,
      LOCATION,
    ],
    [SERVICE, OFFERS, NEWS],
  ),
])

/** What a person reads of a preset in one language: what a stored decision refers to. */
export function presetTexts({ requiredConsents, topics }: Preset, language: keyof Text): string[] {
  return [...requiredConsents, ...topics].map(({ id, label }) => `${id}: ${label[language]}`)
}
