use super::envelope::message;
use crate::agent::wire::record;

message! {
    /// How near the account is to its limits.
    pub struct RateLimitMessage {
        /** The limits. */ pub rate_limit_info: RateLimitInfo,
    }
}

record! {
    /// How near an account is to its limits.
    pub struct RateLimitInfo {
        /** `allowed`, `allowed_warning` or `rejected`. */ pub status: String,
        /** When the limit begins anew, in s since 1970. */ pub resets_at: Option<u64> = "resetsAt",
        /// Which limit it is, such as `five_hour` or `seven_day`.
        pub rate_limit_type: Option<String> = "rateLimitType",
        /** How much of it is used, as a part of 1. */ pub utilization: Option<f64>,
        /// The same as `status`, for what may be used beyond the limit.
        pub overage_status: Option<String> = "overageStatus",
        /// When that begins anew, in s since 1970.
        pub overage_resets_at: Option<u64> = "overageResetsAt",
        /// Why nothing may be used beyond the limit, such as `out_of_credits`.
        pub overage_disabled_reason: Option<String> = "overageDisabledReason",
        /** The account is beyond the limit. */ pub is_using_overage: bool = "isUsingOverage",
        /// What is beyond the limit is being used.
        pub overage_in_use: Option<bool> = "overageInUse",
        /** It may be used. */ pub overage_enabled: Option<bool> = "overageEnabled",
        /// The threshold that was passed, as a part of 1.
        pub surpassed_threshold: Option<f64> = "surpassedThreshold",
        /// Whose limit it is: `service`, `channel` or `group_pool`.
        pub limit_scope: Option<String> = "limitScope",
        /// `credits_required`, if that is what is missing.
        pub error_code: Option<String> = "errorCode",
        /// The user may buy credits.
        pub can_user_purchase_credits: Option<bool> = "canUserPurchaseCredits",
        /// The user can pay for them.
        pub has_chargeable_saved_payment_method: Option<bool> = "hasChargeableSavedPaymentMethod",
    }
}
