module example.com/groups

go 1.19
