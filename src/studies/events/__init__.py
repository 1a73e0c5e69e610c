"""Where documents are lost, who acts on whom, and what samples miss of each verb."""
