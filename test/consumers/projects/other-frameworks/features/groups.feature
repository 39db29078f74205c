Feature: A world

  Scenario Outline: is that of a scenario
    When the program creates a group
    Then the service responds with 200 and a new group

    Examples:
      | number |
      | 1      |
      | 2      |

  Scenario: is printed when the scenario fails
    When the program creates a group
    Then the service responds with 201 and a new group

  Scenario: is printed when a step times out
    When the program creates a group
    Then a step times out
