"""The questions: functions of one table of predictions."""
