"""`croupier check`: a bot looked at in numbered steps, each passed or failed with what to do about it."""

from harness.checking.examination import Examination, Wanted
from harness.checking.programs import ProgramExamination
from harness.checking.steps import Status, Step

__all__ = ["Examination", "ProgramExamination", "Status", "Step", "Wanted"]
