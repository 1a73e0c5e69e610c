"""What looks wrong in predictions, labels and items: pure functions, arrays in and findings out."""
