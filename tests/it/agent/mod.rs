//! The agent client, with the real CLI and a scripted model.

mod calc;
mod heard;
mod log;
mod rounds;
mod scene;

mod background;
mod control;
mod conversation;
mod elicitation;
mod hook_outputs;
mod hooks;
mod limits;
mod main_agent;
mod one_shot;
mod options;
mod output;
mod parity;
mod permissions;
mod printed;
mod replayed;
mod requests;
mod scenarios;
mod secrets;
mod sessions;
mod sharing;
mod steering;
mod stored;
mod streaming;
mod tools;
mod turns;
mod warm;
mod watched;
