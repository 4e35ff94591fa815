use toolwright::{Args, data, prompt};

#[data]
struct Review {
    branch: String,
}

#[prompt]
fn review(Args(review): Args<Review>) -> String {
    review.branch
}

fn main() {
    review::prompt();
}
