/**
 * What the server refused, in Arabic: known by its code, or, where the API defines none, by what was asked and the status.
 */
import { LIMITS } from '@contentflow/core/limits.ts'
import type { ManagementErrorCode } from '@contentflow/server/wire.ts'
import type { ApiError } from './api.ts'

export function inArabic({ status, code, asked, message }: Pick<ApiError, 'status' | 'code' | 'asked' | 'message'>): string {
  const known = BY_CODE.get(code ?? '') ?? BY_CALL.find(([each, pattern]) => each === status && pattern.test(asked))?.[2]
  // The server's own words are English: they keep their direction.
  return known ?? (status >= 500 ? OF_SERVER : BY_STATUS.get(status)) ?? `${NOT_TAKEN} \u2068${message}\u2069`
}

const AGAIN_LATER = 'انتظر قليلًا ثم حاول مرة أخرى.'
const OF_SERVER = 'حدث خطأ في الخادم. حاول مرة أخرى بعد قليل.'
const NOT_TAKEN = 'لم يقبل الخادم هذا الطلب:'

const CODES: Record<ManagementErrorCode, string> = {
  STRINGS_SYNC_FAILED: 'تعذرت قراءة الصفوف.',
  STRINGS_DISABLE_FAILED: 'تعذر إيقاف المستشعرات الآن. أعد إرسال المفاتيح.',
  VALIDATION_ERROR: 'محتوى الطلب غير صالح.',
  UNKNOWN_STRING: 'لا يوجد نص بهذا المفتاح.',
  IMPORT_ALREADY_PENDING: 'هناك استيراد ينتظر. طبّقه أو ألغِه أولًا.',
  PLACEHOLDER_MISMATCH: 'العناصر النائبة في الترجمة ليست مثل التي في النص الأصلي.',
  SELF_APPROVAL_NOT_ALLOWED: 'يجب أن يوافق على طلبك شخص آخر لديه حق الموافقة.',
  UPGRADE_REQUIRED: 'خطة مساحة العمل لا تتسع لهذا العدد من العملاء، فلم يُحفظ شيء.',
  ROLE_REQUIRED: 'دورك في مساحة العمل لا يسمح بذلك. راجع أحد المديرين.',
  LIVE_PUBLISHABLE_KEY_REQUIRED: 'أنشئ مفتاحًا منشورًا للتطبيقات الحية قبل إيقاف المفاتيح المشتقة.',
  LOGIN_RATE_LIMITED: 'محاولات دخول فاشلة كثيرة. انتظر بضع دقائق.',
  SIGNUP_RATE_LIMITED: 'طُلبت حسابات كثيرة من هذا العنوان أو لهذا البريد. انتظر بضع دقائق.',
  INVITATION_OVER: 'هذه الدعوة استُعملت أو سُحبت أو انتهت مدتها. اطلب دعوة جديدة.',
  SIGN_IN_BUSY: `كثيرون يسجلون الدخول الآن. ${AGAIN_LATER}`,
  PASSWORD_WRONG: 'كلمة المرور الحالية غير صحيحة.',
  PASSWORD_CHANGED: 'تغيرت كلمة المرور في هذه الأثناء.',
  SANDBOX_NESTED: 'لا يمكن أن يكون لمساحة التجربة مساحة تجربة أخرى.',
  VERSION_CHANGED: 'حفظ شخص آخر تغييرًا في هذه الأثناء. اقرأ النسخة الجديدة أولًا.',
  REVIEW_OVER: 'بُتّ في هذا الطلب أو سُحب في هذه الأثناء.',
  APPROVAL_NEEDED: 'النشر هنا يحتاج موافقة شخص آخر. غيّر الأولوية في المحرر ثم انشر.',
  NO_ROOM_FOR_ORDER: 'لا تتسع الأولويات لهذا الترتيب. غيّر أولوية أحد العناصر أولًا.',
  SEGMENT_LIMIT: `تتسع مساحة العمل لعدد ${LIMITS.segmentsPerWorkspace} من الشرائح على الأكثر.`,
  SEGMENT_CIRCLE: 'لا يمكن أن تستثني الشرائح بعضها بعضًا في دائرة.',
  GEOFENCE_LIMIT: `تتسع مساحة العمل لعدد ${LIMITS.geofencesPerWorkspace} من الأسوار الجغرافية على الأكثر.`,
  LOCALE_LIMIT: `تتسع مساحة العمل لعدد ${LIMITS.localesPerWorkspace} من اللغات على الأكثر.`,
  SOURCE_LANGUAGE: 'هذه لغة النصوص الأصلية. غيّر النص الأصلي نفسه.',
  STRING_EXISTS: 'يوجد نص بهذا المفتاح.',
  STRING_LIMIT: `تتسع مساحة العمل لعدد ${LIMITS.stringsPerWorkspace} من النصوص على الأكثر.`,
  SENSOR_NOT_ASKED: 'لم يطلب أحد هذا المستشعر، أو أُجيب الطلب.',
  FILE_IN_USE: 'هذا الملف مستعمل في المحتوى.',
  IMPORT_OVER: 'انتهى هذا الاستيراد. أرسل الملف من جديد.',
}
/** Of the rates, which are refused before any route. */
const BY_CODE = new Map<string, string>([
  ...Object.entries(CODES),
  ['SDK_RATE_LIMIT_EXCEEDED', `طلبات كثيرة في مساحة العمل هذه. ${AGAIN_LATER}`],
  ['IP_RATE_LIMITED', `طلبات كثيرة من هذا العنوان. ${AGAIN_LATER}`],
  ['UPSTREAM_UNAVAILABLE', `الخادم مشغول الآن. ${AGAIN_LATER}`],
  ['TEST_ENV_RETIRED', 'بيئة الاختبار في مساحة العمل هذه متوقفة.'],
])

const BY_CALL: [status: number, asked: RegExp, text: string][] = [
  [403, /^POST \/auth\/signup$/, 'إنشاء الحسابات مغلق في هذا الخادم. اطلب من مدير أن يضيفك.'],
  [409, /^POST \/auth\/signup$/, 'يوجد حساب بهذا البريد.'],
  [409, /^POST \/members$/, 'هذا الشخص عضو في مساحة العمل.'],
  [409, /^(PUT|DELETE) \/members\//, 'يجب أن يبقى في مساحة العمل مدير واحد على الأقل.'],
  [409, /^POST \/settings\/sandbox$/, 'لمساحة العمل هذه مساحة تجربة.'],
  [409, /^POST \/blocks$/, 'يوجد نوع بهذا المفتاح.'],
  [409, /^(POST|PUT) \/blocks\/[^/]+\/instances/, 'يوجد عنصر بهذا المعرّف الخارجي.'],
  [400, /^POST \/blocks\/[^/]+\/instances\/[^/]+\/publish$/, 'لا يمكن نشر هذا العنصر: ينقصه محتوى مطلوب.'],
  [409, /^POST \/strings\/.*\/approve$/, 'لا توجد ترجمة للموافقة عليها. اكتب نصها.'],
  [409, /^POST \/locales$/, 'هذه اللغة موجودة في مساحة العمل.'],
  [409, /^DELETE \/locales\//, 'لا يمكن حذف لغة النصوص الأصلية.'],
  [409, /^(POST|PUT) \/segments/, 'توجد شريحة بهذا الاسم.'],
  [409, /^DELETE \/segments\//, 'هذه الشريحة مستعملة.'],
  [401, /^POST \/auth\//, 'البريد أو كلمة المرور غير صحيحة.'],
]

const BY_STATUS = new Map([
  [401, 'انتهت جلستك. سجّل الدخول من جديد.'],
  [403, 'دورك في مساحة العمل لا يسمح بذلك. راجع أحد المديرين.'],
  [404, 'لم يعد هذا موجودًا. ربما حذفه شخص آخر.'],
  [413, 'الملف أو المحتوى أكبر من المسموح.'],
  [415, 'هذا النوع من الملفات غير مقبول.'],
  [429, `طلبات كثيرة. ${AGAIN_LATER}`],
])
