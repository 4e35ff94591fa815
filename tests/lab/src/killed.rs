use std::process::Child;

/// A process that is killed when this is dropped.
pub struct Killed(pub Child);

impl Drop for Killed {
    fn drop(&mut self) {
        // Both fail if the process has ended and was waited for.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
