/*
 * Ids for the examples of the API description, one per kind, so that examples agree with each
 * other.
 */
#ifndef OCTAVO_API_EXAMPLES_H
#define OCTAVO_API_EXAMPLES_H

#define EXAMPLE_ORG        "o7RkQ2mVtXw9LsBd4HcN"
#define EXAMPLE_USER       "u3JpZ8nYqLk5WvTf6MxA"
#define EXAMPLE_TEAM       "t9CdF4gHrPz2KsVb8NwQ"
#define EXAMPLE_COLLECTION "c5XvB7mLkTq3RjWd2ZnH"
#define EXAMPLE_SPACE      "s2GhN6wPxYt8QfKc4LrV"
#define EXAMPLE_REVISION   "r8TzM3kVbJn6DxQs9WpC"
#define EXAMPLE_PAGE       "p4WqL9xRsHv7FnTd3KzJ"
#define EXAMPLE_FILE       "f6YbK2tNcPm8VgXh5RwZ"
#define EXAMPLE_REUSABLE   "e3LnD7qWzTk9JvMb4XsF"
#define EXAMPLE_REQUEST    "q9PsV5hXfRc2NmLt7WdB"
#define EXAMPLE_COMMENT    "m2KxT8vJgWn4QzRb6HpL"
#define EXAMPLE_REPLY      "y7FdW3sLbXq5TkVn9MzG"
#define EXAMPLE_REVIEW     "w5ZrH9nKtPc3GxJd8LvQ"
#define EXAMPLE_INVITE     "i8MvX4bQwRz6TsLk2FnY"
#define EXAMPLE_SAML       "a4NtJ7pVgXk9WqHd3CzR"
#define EXAMPLE_OIDC       "o7Kx2TnVbQm5WcLr9ZhD"
#define EXAMPLE_CLUSTER    "g5HwN8tKxLq3VzRb6McJ"
#define EXAMPLE_CONVERSATION "ticket-4711"
#define EXAMPLE_ISSUE      "i9TqV4xBnMz7LcWk2RhG"
#define EXAMPLE_TOKEN      "k6RwB2zLnTx8MfVs5QjP"
#define EXAMPLE_SPEC       "d7QmV2xLtRw9KsHb4NcZ"
#define EXAMPLE_VERSION    "n3TzK8pWxJv5GdRq6LfM"
#define EXAMPLE_UPLOAD "u4TnWq8RkZx2MpVb6JhC"
#define EXAMPLE_TRANSLATION "t7RkWq2ZnXm4VbJh9LpD"
#define EXAMPLE_TERM "g5QmZt8WkRx1NvBc6HjF"
#define EXAMPLE_EVENT      "v3HcQ9rXmWk7LtNb4ZdS"
#define EXAMPLE_EXTERNAL_LINK "e3VxR8mKtNb5WqZd7LhP"
#define EXAMPLE_STYLEGUIDE_RUN "y6TqK2mVxNb9WcZr4LhP"
#define EXAMPLE_SITE       "d5VqK8tNwRm3XbLz7FhC"
#define EXAMPLE_SITE_SPACE "j9WcP2kTzLs6QnVb4XgM"
#define EXAMPLE_SECTION    "n4XrG7mQvKw9TzHb2LdS"
#define EXAMPLE_GROUP      "z6TkM3wLrQn8VxPc5JbF"
#define EXAMPLE_BLOCK      "b1XkR7pQ"
#define EXAMPLE_URL        "https://docs.example.com/v1"
#define EXAMPLE_APP        "https://docs.example.com/app"

#endif
