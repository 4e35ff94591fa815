//! JSON numbers as they are written, of any size and precision.

use std::cmp::Ordering;

/// A number: `0.` followed by its digits, times ten to the power of `point`. Equal numbers have
/// equal fields, however they are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Decimal {
    negative: bool,
    /// Neither the first nor the last is 0; zero itself has none.
    digits: Vec<u8>,
    point: i64,
}

impl Decimal {
    /// `None` if the text is not a JSON number.
    pub(super) fn of(text: &str) -> Option<Self> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        if whole.is_empty() {
            return None;
        }
        let (mut digits, mut zeros) = (Vec::with_capacity(mantissa.len()), 0);
        for part in [whole, fraction] {
            for digit in part.bytes() {
                match digit {
                    b'0' if digits.is_empty() => zeros += 1,
                    b'0'..=b'9' => digits.push(digit - b'0'),
                    _ => return None,
                }
            }
        }
        while digits.last() == Some(&0) {
            digits.pop();
        }
        if digits.is_empty() {
            return Some(Self { negative: false, digits, point: 0 });
        }
        let point = exponent_of(exponent)?.saturating_add(whole.len() as i64 - zeros);
        Some(Self { negative, digits, point })
    }

    /// True if it is a whole number of steps, exactly. A step has at most 19 digits.
    pub(super) fn is_multiple_of(&self, step: &Self) -> bool {
        let mut modulus: u128 = 0;
        for digit in &step.digits {
            modulus = modulus.saturating_mul(10).saturating_add((*digit).into());
        }
        if self.digits.is_empty() || modulus == 0 || modulus > u64::MAX.into() {
            return true;
        }
        // Both are their digits times a power of ten. As the last digit is not 0, a number with the
        // lower power is a fraction of the step's.
        let shift = (self.point.saturating_sub(self.digits.len() as i64))
            .saturating_sub(step.point.saturating_sub(step.digits.len() as i64));
        let Ok(shift) = u64::try_from(shift) else { return false };
        let mut rest = 0;
        for digit in &self.digits {
            rest = (rest * 10 + u128::from(*digit)) % modulus;
        }
        (rest * power_of_ten(shift, modulus)).is_multiple_of(modulus)
    }

    /// The same text for the same number.
    pub(super) fn canonical(&self) -> String {
        format!("{}e{}", self.written(), self.point)
    }

    /// A whole number without point and exponent, if it has at most so many characters then.
    pub(super) fn integer(&self, most: usize) -> Option<String> {
        if self.digits.is_empty() {
            return Some("0".to_owned());
        }
        let zeros = usize::try_from(self.point).ok()?.checked_sub(self.digits.len())?;
        let written = self.written();
        (zeros <= most.checked_sub(written.len())?).then(|| written + &"0".repeat(zeros))
    }

    /// The sign and the digits.
    fn written(&self) -> String {
        let mut written = String::new();
        if self.negative {
            written.push('-');
        }
        for digit in &self.digits {
            written.push(char::from(b'0' + digit));
        }
        written
    }

    fn compare_size(&self, other: &Self) -> Ordering {
        match (self.digits.is_empty(), other.digits.is_empty()) {
            (false, false) => {
                self.point.cmp(&other.point).then_with(|| self.digits.cmp(&other.digits))
            }
            (mine, others) => others.cmp(&mine),
        }
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.compare_size(other),
            (true, true) => other.compare_size(self),
            (mine, others) => others.cmp(&mine),
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// An exponent; one beyond all sense becomes the greatest or the least there is.
fn exponent_of(text: &str) -> Option<i64> {
    const MOST: i64 = i64::MAX / 4;
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let size = digits.parse().unwrap_or(MOST).min(MOST);
    Some(if text.starts_with('-') { -size } else { size })
}

fn power_of_ten(mut exponent: u64, modulus: u128) -> u128 {
    let (mut power, mut base) = (1 % modulus, 10 % modulus);
    while exponent > 0 {
        if exponent % 2 == 1 {
            power = power * base % modulus;
        }
        base = base * base % modulus;
        exponent /= 2;
    }
    power
}

#[cfg(test)]
mod tests;
